import { requireAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId } from '../platform/ids.ts';
import { listFollowers, listFollowing, type ListedAccount } from './list-relations.ts';
import { relationsOf } from './relations.ts';

/**
 * The followers or the followed of an account as `viewerId` may see them (ACC-08): nothing when the account hides them,
 * is suspended or blocked the viewer; without those whom the viewer blocks or mutes and those who block the viewer.
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
  const { blocking, blockedBy, muting } = await relationsOf(app, viewerId);
  if (blockedBy.has(accountId)) return [];
  return list(app, accountId, page, [...new Set([...blocking, ...blockedBy, ...muting])]);
}
