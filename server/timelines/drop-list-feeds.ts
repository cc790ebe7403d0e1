import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId, ListId } from '../platform/ids.ts';

interface Dropped {
  readonly owners: Set<AccountId>;
  readonly lists: Set<ListId>;
}

/** Of one transaction, kept until its end. */
const awaiting = new WeakMap<Write, Dropped>();

/**
 * Drops the kept feeds of these lists, and of all lists of these owners, at the end of the transaction that changes what
 * they show: the next read sees the change, whoever reads. Lists are few and such changes rare, so nothing is mended.
 */
export function dropListFeeds(write: Write, { owners = [], lists = [] }: { owners?: AccountId[]; lists?: ListId[] }) {
  const dropped = awaiting.get(write) ?? gather(write);
  for (const id of owners) dropped.owners.add(id);
  for (const id of lists) dropped.lists.add(id);
}

function gather(write: Write): Dropped {
  const dropped: Dropped = { owners: new Set(), lists: new Set() };
  awaiting.set(write, dropped);
  write.beforeCommit(async () => {
    awaiting.delete(write);
    await drop(write, dropped);
  });
  return dropped;
}

/**
 * A feed that is being begun meanwhile is waited for by the lock on the list (`lockList`). A build and those who write
 * entries hold the state; all take states in the order of their ids, after the counters of accounts.
 */
async function drop({ db }: Write, { owners, lists }: Dropped): Promise<void> {
  const { rows } = await sql<{ id: ListId }>`
    select id from lists where account_id = any(${[...owners]}::bigint[]) or id = any(${[...lists]}::bigint[])
    for key share`.execute(db);
  if (rows.length === 0) return;
  await sql`
    delete from list_feed_states where list_id = any(array(
      select list_id from list_feed_states where list_id = any(${rows.map(({ id }) => id)}::bigint[])
      order by list_id for update))`.execute(db);
}

interface OfOne {
  readonly accountId: AccountId;
}

interface OfTwo extends OfOne {
  readonly targetAccountId: AccountId;
}

/** After a change of what one account wants to see. */
export async function dropOwn(write: Write, _app: App, changes: readonly OfOne[]): Promise<void> {
  dropListFeeds(write, { owners: changes.map(({ accountId }) => accountId) });
}

/** After a change of what two accounts may see of each other. */
export async function dropBoth(write: Write, _app: App, changes: readonly OfTwo[]): Promise<void> {
  dropListFeeds(write, { owners: changes.flatMap((change) => [change.accountId, change.targetAccountId]) });
}

/** After a change of what many accounts may see of one that is gone. */
export async function dropAll(
  write: Write,
  _app: App,
  changes: readonly { readonly accountIds: AccountId[] }[],
): Promise<void> {
  dropListFeeds(write, { owners: changes.flatMap(({ accountIds }) => accountIds) });
}

/** After a change of the lists themselves. */
export async function dropChanged(
  write: Write,
  _app: App,
  changes: readonly { readonly listId: ListId }[],
): Promise<void> {
  dropListFeeds(write, { lists: changes.map(({ listId }) => listId) });
}
