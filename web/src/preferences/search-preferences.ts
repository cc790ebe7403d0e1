import { containsWords } from '../ui/match-words.ts';

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
  return {
    isMatch: containsWords([page.title, page.hint, ...page.settings].join(' '), query),
    settings: query.trim() === '' ? [] : page.settings.filter((setting) => containsWords(setting, query)),
  };
}
