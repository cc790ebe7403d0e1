import { request } from '../api/client.ts';
import type { Account, CustomEmoji, Search } from '../api/entities.ts';
import { loadCustomEmojis, loadUnicodeEmojis } from './emojis.ts';
import { foldText, rankEmoji, type UnicodeEmoji } from './list-emojis.ts';

/** The word before the caret that can be completed. */
export interface CompletableWord {
  readonly kind: 'account' | 'tag' | 'emoji';
  /** Without its mark. */
  readonly query: string;
  /** Where its mark is in the text. */
  readonly start: number;
}

const word =
  /(?:^|[^\p{L}\p{N}_/&])(?<word>[@＠][\w.-]*(?:@[\p{L}\p{N}.-]*)?|[#＃][\p{L}\p{M}\p{N}_·]*|:[\p{L}\p{N}_+-]{2,})$/u;

/** Returns the handle, hashtag or shortcode that ends at the caret; undefined if there is none. */
export function findCompletableWord(text: string, caret: number): CompletableWord | undefined {
  const found = word.exec(text.slice(Math.max(0, caret - 200), caret))?.groups?.['word'];
  if (found === undefined) return undefined;
  const mark = found.charAt(0);
  const query = found.slice(1);
  const kind = mark === ':' ? 'emoji' : mark === '#' || mark === '＃' ? 'tag' : 'account';
  if (query === '') return undefined;
  return { kind, query, start: caret - found.length };
}

/** Returns the text in which a word is replaced, with a space after it, and where the caret is then. */
export function completeWord(
  text: string,
  { start, caret }: { readonly start: number; readonly caret: number },
  replacement: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret);
  const inserted = /^\s/.test(rest) ? replacement : `${replacement} `;
  const end = start + inserted.length + (inserted === replacement ? 1 : 0);
  return { text: text.slice(0, start) + inserted + rest, caret: end };
}

/** What can replace a word. */
export type Suggestion =
  | { readonly kind: 'account'; readonly text: string; readonly account: Account }
  | { readonly kind: 'tag'; readonly text: string }
  | { readonly kind: 'emoji'; readonly text: string; readonly name: string; readonly image?: string };

const maxSuggestions = 6;

/** Loads what can replace a word, the best first. */
export async function loadSuggestions(
  { kind, query }: CompletableWord,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  switch (kind) {
    case 'account': {
      const search = { q: query, limit: maxSuggestions };
      const accounts = await request<readonly Account[]>('GET', '/api/v1/accounts/search', { query: search, signal });
      return accounts.map((account) => ({ kind, text: `@${account.acct}`, account }));
    }
    case 'tag': {
      const search = { q: query, type: 'hashtags', limit: maxSuggestions };
      const { hashtags } = await request<Search>('GET', '/api/v2/search', { query: search, signal });
      return hashtags.map(({ name }) => ({ kind, text: `#${name}` }));
    }
    case 'emoji': {
      const [custom, unicode] = await Promise.all([loadCustomEmojis(), loadUnicodeEmojis()]);
      return suggestEmojis(query, custom, unicode);
    }
  }
}

/** Returns the emojis that match the query by their names and words, the best matches first. */
export function suggestEmojis(
  query: string,
  custom: readonly Pick<CustomEmoji, 'shortcode' | 'static_url'>[],
  unicode: readonly Pick<UnicodeEmoji, 'emoji' | 'name' | 'words'>[],
): readonly Extract<Suggestion, { kind: 'emoji' }>[] {
  const wanted = foldText(query);
  const found = [
    ...custom.map(({ shortcode, static_url: image }) => ({
      rank: rankEmoji([foldText(shortcode)], wanted),
      suggestion: { kind: 'emoji' as const, text: `:${shortcode}:`, name: shortcode, image },
    })),
    ...unicode.map(({ emoji, name, words }) => ({
      rank: rankEmoji(words, wanted),
      suggestion: { kind: 'emoji' as const, text: emoji, name },
    })),
  ];
  return found
    .flatMap(({ rank, suggestion }) => (rank === undefined ? [] : [{ rank, suggestion }]))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maxSuggestions)
    .map(({ suggestion }) => suggestion);
}
