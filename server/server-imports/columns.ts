/** Returns columns that have the same name and values in both databases. */
export const same = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `s.${name}`]));
