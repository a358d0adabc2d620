/** What most people want to know of an OTP template (2.2). */
export const MAIN_FIELDS = ['id', 'name', 'locale', 'body', 'status'];
