/**
 * Returns many ids as the text of a PostgreSQL array, for `${…}::bigint[]`. pg quotes and escapes each item of an array,
 * which takes longer than most statements when there are thousands. A statement should use the parameter once.
 */
export const idArray = (ids: readonly string[]): string => `{${ids.join(',')}}`;
