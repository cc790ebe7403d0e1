import { sql, type RawBuilder } from 'kysely';
import { accountDeleted, accountSuspended, accountUnsuspended, accountUpdated } from '../../accounts/index.ts';
import { consentWithdrawn } from '../../accounts/profile/index.ts';
import { maxId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { inTransaction, publish } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { statusCreated, statusDeleted, statusEdited } from '../../statuses/index.ts';
import {
  isShareableAccount,
  isShareableStatus,
  mayHaveSharedAccount,
  wasShareableAccount,
  wasShareableStatus,
} from './shareable.ts';
import { storeEvents } from './store-events.ts';
import { cacheSubscriptions, listSubscriptions } from './subscriptions.ts';
import { withdrawPosts } from './withdraw-posts.ts';

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
  inTransaction([consentWithdrawn], {
    async runBatch(tx, app, events) {
      const profiles = accountIds(events.filter(({ profile }) => profile));
      const find = findAccounts(mayHaveSharedAccount, profiles);
      if (profiles.length > 0) await storeEvents(tx, app, { category: 'account', type: 'delete', find });
      const authors = accountIds(events.filter(({ posts }) => posts));
      if ((await listSubscriptions(tx, app, 'content')).length === 0) return;
      for (const accountId of authors) tx.enqueue(withdrawPosts({ accountId, before: maxId }));
    },
  }),
  publish([statusCreated, accountUpdated], { onlyHere: true, run: cacheSubscriptions }),
];
