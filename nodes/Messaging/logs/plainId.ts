import { text } from '../n8n/values';

/**
 * What tells campaigns apart, of an id as it comes: a UUID is the same in upper and lower case. Empty for what is
 * neither text nor a number, which names no campaign: "null" is one's id.
 */
export const plainId = (id: unknown) => text(id).toLowerCase();
