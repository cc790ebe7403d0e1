/** Further words are ignored. */
const maxWords = 8;

/** What a search for accounts compares with names. */
export interface AccountPatterns {
  /** Patterns over "username display name" in lower case: one of `any` (indexed) and all of `rest` must match. */
  readonly any: readonly string[];
  readonly rest: readonly string[];
  /** Pattern of the domain's beginning; null for any domain. */
  readonly domain: string | null;
  readonly username: string;
}

/** Returns the patterns that names must match; undefined if the text has no words. */
export function buildPatterns(text: string): AccountPatterns | undefined {
  const [handle, domain] = /^@?([\w.-]+)@([^\s@]+)$/u.exec(text)?.slice(1) ?? [];
  const plain = handle ?? text.replace(/^@/, '');
  const words = plain
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords);
  const [longest = '', ...rest] = words.toSorted((a, b) => b.length - a.length);
  if (longest === '') return undefined;
  const escaped = escapePattern(longest);
  return {
    any: domain === undefined ? patternsOf(longest, escaped) : [`${escaped}%`],
    rest: rest.map((word) => `%${escapePattern(word)}%`),
    domain: domain === undefined ? null : `${escapePattern(domain.toLowerCase())}%`,
    username: plain.toLowerCase(),
  };
}

/** The trigram index needs three characters: shorter words match only at the beginning of a name. */
const patternsOf = (word: string, escaped: string): string[] =>
  word.length < 3 ? [`${escaped}%`, `% ${escaped}%`] : [`%${escaped}%`];

/** Escapes the wildcards of LIKE. */
export const escapePattern = (word: string): string => word.replace(/[\\%_]/g, '\\$&');
