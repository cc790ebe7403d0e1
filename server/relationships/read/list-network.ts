import { requireAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import { listEndorsements, listFollowers, listFollowing, type ListedAccount } from './list-relations.ts';
import { listHiddenIds } from '../rules/relation-rules.ts';
import { loadAccountRelations } from '../rules/relations.ts';

/**
 * The followers or the followed of an account as `viewerId` may see them (ACC-08): nothing when the account hides them,
 * is suspended or blocked the viewer; without accounts that the viewer blocks or mutes, and accounts that block the viewer.
 * Owners see all of their own. 404 for an unknown account.
 */
export async function listNetwork(
  app: App,
  viewerId: AccountId | undefined,
  accountId: AccountId,
  { side, page }: { side: 'followers' | 'following'; page: Page },
): Promise<ListedAccount[]> {
  const account = await requireAccount(app, accountId);
  const list = side === 'followers' ? listFollowers : listFollowing;
  if (account.suspended_at !== null) return [];
  if (viewerId === accountId) return list(app, accountId, page);
  if (account.hide_collections === true) return [];
  if (viewerId === undefined) return list(app, accountId, page);
  const hidden = await loadHiddenIds(app, viewerId, accountId);
  return hidden === undefined ? [] : list(app, accountId, page, hidden);
}

/** Lists the accounts that an account features. The same rules apply, except that endorsements are never hidden. */
export async function listEndorsedBy(
  app: App,
  viewerId: AccountId | undefined,
  accountId: AccountId,
  page: Page,
): Promise<ListedAccount[]> {
  const account = await requireAccount(app, accountId);
  if (account.suspended_at !== null) return [];
  if (viewerId === undefined || viewerId === accountId) return listEndorsements(app, accountId, page);
  const hidden = await loadHiddenIds(app, viewerId, accountId);
  return hidden === undefined ? [] : listEndorsements(app, accountId, page, hidden);
}

/** Returns the accounts that a list of `accountId` hides from the viewer; undefined if `accountId` blocks the viewer. */
async function loadHiddenIds(app: App, viewerId: AccountId, accountId: AccountId): Promise<AccountId[] | undefined> {
  const relations = await loadAccountRelations(app, viewerId);
  return relations.blockedBy.has(accountId) ? undefined : listHiddenIds(relations);
}
