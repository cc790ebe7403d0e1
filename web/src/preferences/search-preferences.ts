/** A page of the preferences with its texts. */
export interface SearchablePage {
  readonly title: string;
  readonly hint: string;
  /** The labels of its settings. */
  readonly settings: readonly string[];
}

/**
 * Returns whether each word of a query is in the texts of a page, and the settings in which it is. Upper case and accents
 * make no difference.
 */
export function matchPreferences(page: SearchablePage, query: string): { isMatch: boolean; settings: string[] } {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  const contains = (text: string): boolean => words.every((word) => fold(text).includes(word));
  return {
    isMatch: contains([page.title, page.hint, ...page.settings].join(' ')),
    settings: words.length === 0 ? [] : page.settings.filter(contains),
  };
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
