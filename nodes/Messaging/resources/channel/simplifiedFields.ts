/** The fields of a channel that *Simplify* keeps (docs/interface.md, "Channel"). */
export const SIMPLIFIED_FIELDS = ['id', 'name', 'phone', 'medium', 'type', 'country', 'status'];
