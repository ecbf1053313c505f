/** Orders of keys. `ended`: active keys first, then by when they end, latest first; `used` and `unused`: by last use. Then newest first. */
export const KEY_SORTS = ['ended', 'used', 'unused'] as const
export type KeySort = (typeof KEY_SORTS)[number]
