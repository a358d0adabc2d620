/** The fields of an OTP template that *Simplify* keeps (docs/interface.md, "OTP template"). */
export const SIMPLIFIED_FIELDS = ['id', 'name', 'locale', 'body', 'status'];
