export type Schema = {
	type: string;
	properties?: { [name: string]: Schema };
	items?: Schema;
	version?: number;
};

export const isUpdating: boolean;
export function readSchema(name: string): Schema | undefined;
export function writeSchema(name: string, schema: Schema): void;
export function schemaNames(): string[];
