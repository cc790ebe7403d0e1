import { findAccountByAcct, parseHandle } from '../accounts/find/index.ts';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { buildPatterns } from './account-patterns.ts';
import { rankFollowed, rankMatches } from './rank-accounts.ts';
import { rankBeginnings } from './rank-beginnings.ts';
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
 * name's beginning matches, and by popularity. If these are few, and the text is not a username, names that differ by a
 * typing error follow.
 */
export async function searchAccounts(app: App, search: AccountSearch): Promise<AccountId[]> {
  const { viewerId, following, limit, offset } = search;
  const text = search.text.trim();
  if (limit === 0) return [];
  if (search.exact) return offset === 0 ? findExactAccount(app, text) : [];
  const rows = await rankByName(app, { ...search, text });
  const ids = rows.map(({ id }) => id);
  const isKnownName = rows.some((row) => row.is_name);
  if (offset > 0 || isKnownName || ids.length >= Math.min(limit, fewResults)) return ids;
  const similar = await findSimilarAccounts(app, { text, viewerId, following, limit, signal: search.signal });
  return [...new Set([...ids, ...similar])].slice(0, limit);
}

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
    limit,
    offset,
  };
  if (following) return rankFollowed(app, args, signal);
  const beginnings = await rankBeginnings(app, args, signal);
  return beginnings.length > 0 ? beginnings : rankMatches(app, args, signal);
}

async function findExactAccount(app: App, text: string): Promise<AccountId[]> {
  const account = await findAccountByAcct(app, text);
  return account === undefined || account.suspended_at !== null || account.id === instanceActorId ? [] : [account.id];
}
