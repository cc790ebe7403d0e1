/** Compares ids as numbers, which is their order in time: negative if `one` is older than `other`. */
export const compareIds = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
