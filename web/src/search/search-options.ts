import type { Account, Tag } from '../api/entities.ts';
import { completeOperators, isAddress, type Completion } from './search-query.ts';

/** An entry below the search field. */
export type Option = { readonly key: string } & (
  | { readonly kind: 'search'; readonly text: string; readonly isAddress: boolean }
  | { readonly kind: 'recent'; readonly text: string }
  | { readonly kind: 'operator'; readonly completion: Completion }
  | { readonly kind: 'account'; readonly account: Account; readonly path: string }
  | { readonly kind: 'hashtag'; readonly name: string; readonly path: string }
);

interface Known {
  readonly recent: readonly string[];
  readonly accounts: readonly Account[];
  readonly hashtags: readonly Tag[];
}

/** Returns the entries for a typed text: recent searches for an empty one, else the search itself and what was found. */
export function listOptions(typed: string, { recent, accounts, hashtags }: Known): readonly Option[] {
  const text = typed.trim();
  if (text === '') return recent.map((one) => ({ kind: 'recent', key: `recent ${one}`, text: one }));
  const today = new Date().toISOString().slice(0, 10);
  return [
    { kind: 'search', key: 'search', text, isAddress: isAddress(text) },
    ...completeOperators(typed, today).map((completion): Option => ({
      kind: 'operator',
      key: `operator ${completion.word}`,
      completion,
    })),
    ...accounts.map((account): Option => ({
      kind: 'account',
      key: `account ${account.id}`,
      account,
      path: `/@${account.acct}`,
    })),
    ...hashtags.map(({ name }): Option => ({
      kind: 'hashtag',
      key: `hashtag ${name}`,
      name,
      path: `/tags/${encodeURIComponent(name)}`,
    })),
  ];
}
