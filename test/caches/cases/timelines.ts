import { createList, listChanged } from '../../../server/lists/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { newId, noId, type AccountId, type StatusId } from '../../../server/platform/ids.ts';
import { statusCreated, statusReblogged } from '../../../server/statuses/index.ts';
import { authorMerged, homeFeedChanged } from '../../../server/timelines/events.ts';
import { insertIntoOwnFeed, loadOwnListMembers } from '../../../server/timelines/fan-out/own-feed.ts';
import { findHomeHead } from '../../../server/timelines/read/home-heads.ts';
import { isMergedAuthor } from '../../../server/timelines/feeds/merged-authors.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import type { EvictionCase } from '../eviction-case.ts';

/** Reads the stored home feed of an account to which a row is added. */
const homeHeadCase = (
  event: string,
  emitted: (accountId: AccountId, statusId: StatusId) => DomainEvent,
): EvictionCase => ({
  cache: 'timeline.home_heads',
  event,
  async prepare(server) {
    const { app, db } = server;
    const { id: accountId } = await server.user('reader');
    const now = app.clock.now();
    const statusId = newId<'status'>(now);
    await db
      .insertInto('home_feed_states')
      .values({ account_id: accountId, complete_from: noId, used_at: now })
      .execute();
    return {
      read: async () => (await findHomeHead(app, accountId))?.entries,
      change: () => db.insertInto('home_feed').values({ account_id: accountId, status_id: statusId }).execute(),
      emitted: emitted(accountId, statusId),
    };
  },
});

export const cases: EvictionCase[] = [
  homeHeadCase(homeFeedChanged.event, (accountId) => homeFeedChanged({ accountId })),
  homeHeadCase(statusCreated.event, (accountId, statusId) =>
    statusCreated({
      accountId,
      statusId,
      local: true,
      direct: false,
      public: true,
      reply: false,
      mentions: false,
      tags: false,
      link: false,
    }),
  ),
  homeHeadCase(statusReblogged.event, (accountId, statusId) =>
    statusReblogged({ accountId, statusId, reblogOfId: statusId, local: true, originalLocal: true }),
  ),
  {
    cache: 'timeline.merged_authors',
    event: authorMerged.event,
    async prepare(server) {
      const { id: accountId } = await server.user('author');
      return {
        read: () => isMergedAuthor(server.app, accountId),
        change: () =>
          server.db.insertInto('merged_authors').values({ account_id: accountId, since: new Date() }).execute(),
        emitted: authorMerged({ accountId }),
      };
    },
  },
  {
    cache: 'timeline.own_list_members',
    event: listChanged.event,
    async prepare(server) {
      const { app, db } = server;
      const { id: accountId } = await server.user('author');
      const { id: listId } = await createList(app, accountId, { title: 'Mine' });
      const now = app.clock.now();
      const posted = { accountId, statusId: newId<'status'>(now), local: true };
      return {
        /** Whether a post is inserted into lists of its author. */
        read: async () => {
          // The event deletes the stored feed.
          await db
            .insertInto('list_feed_states')
            .values({ list_id: listId, complete_from: newId<'status'>(now), used_at: now })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          await loadOwnListMembers(app, [posted]);
          return transaction(app, async (tx) => {
            const emitted: string[] = [];
            await insertIntoOwnFeed({ ...tx, emit: ({ name }) => emitted.push(name) }, app, [posted]);
            return emitted.length;
          });
        },
        change: () =>
          db
            .insertInto('list_accounts')
            .values({
              id: newId<'row'>(now),
              list_id: listId,
              account_id: accountId,
              owner_id: accountId,
              exclusive: false,
            })
            .execute(),
        emitted: listChanged({ listId }),
      };
    },
  },
];
