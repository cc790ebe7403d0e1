import { findAccountByAcct } from '../../accounts/find/index.ts';
import { resolveAccount, resolveUrl } from '../../federation/index.ts';
import { addToList, listLists } from '../../lists/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { followAccount } from '../../relationships/follow/index.ts';
import { blockAccount, blockDomain, muteAccount } from '../../relationships/hide/index.ts';
import { bookmarkStatus } from '../../statuses/react/index.ts';
import type { RowOptions } from '../tables.ts';
import type { ImportRow } from './find-imports.ts';

/** A line that is to be imported. */
export interface PendingLine {
  readonly line: number;
  readonly target: string;
  readonly options: RowOptions;
}

/**
 * Does what a line asks for; a second time has no effect. Throws HttpError: 404 for an unknown account or post, 503 if its
 * server does not answer, and as the use cases do.
 */
export async function importLine(
  root: App,
  { type, account_id: accountId }: ImportRow,
  { target, options }: PendingLine,
): Promise<void> {
  // Each line has requests of its own, so that a slow server does not use up those of others.
  const app = withFetchBudget(root, new StoredFetchBudget(root));
  if (type === 'domain_blocks') return blockDomain(app, accountId, target);
  if (type === 'bookmarks') {
    const found = await resolveUrl(app, target);
    if (found === undefined || !('statusId' in found)) throw notFound();
    return bookmarkStatus(app, accountId, found.statusId);
  }
  const targetId = await findOrFetchAccount(app, target);
  if (type === 'following') return void (await followAccount(app, accountId, targetId, options));
  if (type === 'blocks') return blockAccount(app, accountId, targetId);
  if (type === 'mutes') return muteAccount(app, accountId, targetId, options);
  return addToNamedList(app, { accountId, targetId, title: options.list ?? '' });
}

async function findOrFetchAccount(app: App, address: string): Promise<AccountId> {
  const stored = await findAccountByAcct(app, address);
  const id = stored?.id ?? (await resolveAccount(app, address, { throwIfUnavailable: true }));
  if (id === undefined) throw notFound();
  return id;
}

interface ListEntry {
  readonly accountId: AccountId;
  readonly targetId: AccountId;
  readonly title: string;
}

/** Follows the account if necessary, because lists have only followed accounts. */
async function addToNamedList(app: App, { accountId, targetId, title }: ListEntry): Promise<void> {
  const list = (await listLists(app, accountId)).find((one) => one.title === title);
  if (list === undefined) throw notFound();
  const member = await app.db
    .selectFrom('list_accounts')
    .select('id')
    .where('list_id', '=', list.id)
    .where('account_id', '=', targetId)
    .executeTakeFirst();
  if (member !== undefined) return;
  if (accountId !== targetId) await followAccount(app, accountId, targetId);
  await addToList(app, { accountId, listId: list.id, memberIds: [targetId] });
}
