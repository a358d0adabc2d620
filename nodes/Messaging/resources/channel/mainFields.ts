/** What most people want to know of a channel (2.3). */
export const MAIN_FIELDS = ['id', 'name', 'phone', 'medium', 'type', 'country', 'status'];
