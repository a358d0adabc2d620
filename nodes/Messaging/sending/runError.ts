import { UserError } from 'n8n-workflow';

/** Something that concerns the whole run, found while one recipient was looked at. */
export class RunError extends UserError {}
