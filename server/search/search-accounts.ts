import { findAccountByAcct, parseHandle } from '../accounts/find/index.ts';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { buildPatterns } from './account-patterns.ts';
import { maxCandidates, rankFollowed, rankMatches, rankMatchesAndFollowed } from './rank-accounts.ts';
import { findSimilarAccounts } from './similar-accounts.ts';

/** One page of a search for accounts. */
export interface AccountSearch {
  /** Part of a name, or a handle or its beginning. */
  readonly text: string;
  readonly viewerId: AccountId | undefined;
  /** Only accounts that the viewer follows. */
  readonly following: boolean;
  /** Only the account of exactly this handle. */
  readonly exact: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal;
}

/** With fewer results, the text may contain a typing error. */
const fewResults = 5;

/**
 * Finds stored accounts by name or handle: an exact handle first, then by relationship to the viewer, by how well the
 * name's beginning matches, and by followers and activity. If these are few, names that differ by a typing error follow.
 */
export async function searchAccounts(app: App, search: AccountSearch): Promise<AccountId[]> {
  const { viewerId, following, limit, offset } = search;
  const text = search.text.trim();
  if (limit === 0) return [];
  if (search.exact) return offset === 0 ? findExactAccount(app, text) : [];
  const rows = await rankByName(app, { ...search, text });
  const ids = rows.map(({ id }) => id);
  const isExact = rows[0]?.is_exact === true;
  if (offset > 0 || isExact || ids.length >= Math.min(limit, fewResults)) return ids;
  const similar = await findSimilarAccounts(app, { text, viewerId, following, limit });
  return [...new Set([...ids, ...similar])].slice(0, limit);
}

/** The followed accounts are read only if there are more matches than are ranked. */
async function rankByName(app: App, search: AccountSearch): ReturnType<typeof rankMatches> {
  const { text, viewerId, following, limit, offset, signal } = search;
  const patterns = buildPatterns(text);
  if (patterns === undefined) return [];
  const handle = parseHandle(app, text);
  const args = {
    ...patterns,
    viewer: viewerId ?? null,
    handleUsername: handle?.username.toLowerCase() ?? null,
    handleDomain: handle === undefined ? null : (handle.domain ?? ''),
    now: app.clock.now(),
    limit,
    offset,
  };
  if (following) return rankFollowed(app, args, signal);
  const rows = await rankMatches(app, args, signal);
  const hasMore = rows[0] !== undefined && rows[0].candidates >= maxCandidates;
  return hasMore ? rankMatchesAndFollowed(app, args, signal) : rows;
}

async function findExactAccount(app: App, text: string): Promise<AccountId[]> {
  const account = await findAccountByAcct(app, text);
  return account === undefined || account.suspended_at !== null || account.id === instanceActorId ? [] : [account.id];
}
