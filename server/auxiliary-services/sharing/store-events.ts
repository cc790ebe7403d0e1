import { sql, type RawBuilder } from 'kysely';
import { accountDeleted, accountSuspended, accountUnsuspended, accountUpdated } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { inTransaction, publish } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { statusCreated, statusDeleted, statusEdited } from '../../statuses/index.ts';
import type { AnnouncementType } from '../tables.ts';
import { sendAnnouncements } from './send-announcements.ts';
import { isShareableAccount, isShareableStatus, wasShareableAccount, wasShareableStatus } from './shareable.ts';
import { cacheSubscriptions, listSubscriptions, type Category } from './subscriptions.ts';

/** Stores events about those subjects that may be shared, and a job for each subscription that wants them. */
async function storeEvents(
  tx: Transaction,
  app: App,
  { category, type, find }: { category: Category; type: AnnouncementType; find: () => RawBuilder<{ id: string }> },
): Promise<void> {
  const subscriptions = await listSubscriptions(tx, app, category);
  if (subscriptions.length === 0) return;
  const { rows } = await find().execute(tx.db);
  if (rows.length === 0) return;
  const now = app.clock.now();
  for (const { id } of subscriptions) {
    // The subscription may have ended meanwhile.
    await sql`
      insert into service_provider_announcements (id, subscription_id, event_type, subject_id, created_at)
      select event.id, subscription.id, ${type}, event.subject_id, ${now}::timestamptz
      from service_provider_subscriptions subscription,
        unnest(${rows.map(() => newId<'row'>(now))}::bigint[], ${rows.map((row) => row.id)}::bigint[])
          as event (id, subject_id)
      where subscription.id = ${id}::bigint`.execute(tx.db);
    tx.enqueue(sendAnnouncements({ subscriptionId: id }, { key: `service_provider_subscription ${id}` }));
  }
}

const findStatuses = (condition: RawBuilder<boolean>, ids: readonly StatusId[]) => () =>
  sql<{ id: string }>`
    select s.id from statuses s join accounts a on a.id = s.account_id
    where s.id = any(${[...new Set(ids)]}::bigint[]) and ${condition}`;

const findAccounts = (condition: RawBuilder<boolean>, ids: readonly AccountId[]) => () =>
  sql<{ id: string }>`
    select a.id from accounts a where a.id = any(${[...new Set(ids)]}::bigint[]) and ${condition}`;

const statusIds = (events: readonly { readonly statusId: StatusId }[]): StatusId[] =>
  events.map(({ statusId }) => statusId);
const accountIds = (events: readonly { readonly accountId: AccountId }[]): AccountId[] =>
  events.map(({ accountId }) => accountId);

/** Local and remote alike: what is shared is an address that anyone may open. */
export const sharingReactions: readonly Subscription[] = [
  inTransaction([statusCreated], {
    runBatch: async (tx, app, events) => {
      const shared = statusIds(events.filter((event) => event.public && event.localOnly !== true));
      if (shared.length === 0) return;
      await storeEvents(tx, app, { category: 'content', type: 'new', find: findStatuses(isShareableStatus, shared) });
    },
  }),
  inTransaction([statusEdited], {
    runBatch: (tx, app, events) =>
      storeEvents(tx, app, {
        category: 'content',
        type: 'update',
        find: findStatuses(isShareableStatus, statusIds(events)),
      }),
  }),
  inTransaction([statusDeleted], {
    runBatch: (tx, app, events) =>
      storeEvents(tx, app, {
        category: 'content',
        type: 'delete',
        find: findStatuses(wasShareableStatus, statusIds(events)),
      }),
  }),
  inTransaction([accountUpdated, accountUnsuspended], {
    runBatch: (tx, app, events) =>
      storeEvents(tx, app, {
        category: 'account',
        type: 'update',
        find: findAccounts(isShareableAccount, accountIds(events)),
      }),
  }),
  inTransaction([accountSuspended, accountDeleted], {
    runBatch: (tx, app, events) =>
      storeEvents(tx, app, {
        category: 'account',
        type: 'delete',
        find: findAccounts(wasShareableAccount, accountIds(events)),
      }),
  }),
  publish([statusCreated, accountUpdated], { onlyHere: true, run: cacheSubscriptions }),
];
