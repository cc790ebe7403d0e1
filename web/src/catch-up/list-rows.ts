import type { Entry, MergedPost, PersonGroup } from './group-posts.ts';

/** What the reader folded and unfolded. */
export interface Folds {
  /** People whose posts are folded. */
  readonly folded: ReadonlySet<string>;
  /** People whose posts are all shown, not only the first ones. */
  readonly unfolded: ReadonlySet<string>;
  /** Entries whose threads are unfolded. */
  readonly threads: ReadonlySet<string>;
}

/** A row of the page. Rows with equal members look equal. */
export type ShownRow =
  | { readonly kind: 'person'; readonly key: string; readonly group: PersonGroup; readonly isFolded: boolean }
  | { readonly kind: 'post'; readonly key: string; readonly post: MergedPost; readonly isInThread: boolean }
  | { readonly kind: 'thread'; readonly key: string; readonly entry: Entry; readonly isOpen: boolean }
  | { readonly kind: 'more'; readonly key: string; readonly accountId: string; readonly count: number };

/** Entries of a person that are shown before the rest is asked for. */
export const shownEntries = 3;

/** Returns the rows of the page: a heading for each person, and below it what is not folded. */
export function listRows(groups: readonly PersonGroup[], { folded, unfolded, threads }: Folds): readonly ShownRow[] {
  return groups.flatMap((group) => {
    const { accountId, entries } = group;
    const isFolded = folded.has(accountId);
    const heading: ShownRow = { kind: 'person', key: `person-${accountId}`, group, isFolded };
    if (isFolded) return [heading];
    const shown = unfolded.has(accountId) ? entries : entries.slice(0, shownEntries);
    const rest = entries.slice(shown.length).reduce((sum, { posts }) => sum + posts.length, 0);
    return [
      heading,
      ...shown.flatMap((entry) => rowsOf(entry, threads.has(entry.key))),
      ...(rest > 0 ? [{ kind: 'more', key: `more-${accountId}`, accountId, count: rest } as const] : []),
    ];
  });
}

/** The first post of a thread is shown; the others below a row that counts them. */
function rowsOf(entry: Entry, isOpen: boolean): readonly ShownRow[] {
  const [first, ...others] = entry.posts.map((post, index): ShownRow => ({
    kind: 'post',
    key: post.statusId,
    post,
    isInThread: index > 0,
  }));
  if (first === undefined || others.length === 0) return first === undefined ? [] : [first];
  const thread: ShownRow = { kind: 'thread', key: `thread-${entry.key}`, entry, isOpen };
  return [first, thread, ...(isOpen ? others : [])];
}
