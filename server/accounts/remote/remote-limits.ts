/** Limits of a remote profile (reference/limits.tsv), in code points, bytes (`note`) or items. The rest is cut off. */
export const remoteLimits = {
  username: 2048,
  displayName: 2048,
  note: 20_480,
  fields: 50,
  fieldText: 2047,
  list: 256,
  uri: 2048,
  description: 1500,
} as const;
