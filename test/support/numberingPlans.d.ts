import type { NumberingPlan } from '../../nodes/Messaging/sending/numberingPlans';

export const isUpdating: boolean;
export const regionsOf: Record<string, string[]>;
export function patternsOf(region: string): Array<[type: string, pattern: string]>;
export function trunkPrefixOf(region: string): string;
export function internationalPrefixOf(region: string): string;
export function numberingPlans(): Record<string, NumberingPlan>;
export function writePlans(plans: Record<string, NumberingPlan>): void;
