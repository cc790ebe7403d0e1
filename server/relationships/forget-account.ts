import { on } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { endFollows, idsOf } from './end-follows.ts';
import { relationsChanged, relationsForgotten } from './events.ts';

const atOnce = 500;

/** Nobody follows, blocks or mutes an account that is gone; the counters of the others follow. */
export const forgetAccount = on([accountDeleted], {
  name: 'relationships.forget-account',
  queue: 'background',
  run: async (app, { accountId }) => {
    while (await endSomeFollows(app, accountId));
    for (const table of ['blocks', 'mutes', 'endorsements'] as const) await removeRows(app, table, accountId);
    await inTransaction(app, async ({ db }) => {
      await db.deleteFrom('account_domain_blocks').where('account_id', '=', accountId).execute();
    });
  },
});

async function endSomeFollows(app: App, accountId: AccountId): Promise<boolean> {
  return inTransaction(app, async (write) => {
    const pairs = [];
    for (const table of ['follow_requests', 'follows'] as const) {
      const rows = await write.db
        .selectFrom(table)
        .select(['account_id as accountId', 'target_account_id as targetId'])
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
        .limit(atOnce)
        .execute();
      pairs.push(...rows);
    }
    const ended = await endFollows(write, pairs);
    if (ended.length > 0) write.emit(relationsForgotten({ accountIds: idsOf(ended) }));
    return pairs.length > 0;
  });
}

async function removeRows(app: App, table: 'blocks' | 'mutes' | 'endorsements', accountId: AccountId): Promise<void> {
  await inTransaction(app, async (write) => {
    const rows = await write.db
      .deleteFrom(table)
      .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
      .returning(['account_id', 'target_account_id'])
      .execute();
    if (rows.length === 0) return;
    const accountIds = idsOf(rows);
    for (const id of accountIds) write.emit(relationsChanged({ accountId: id }));
    if (table !== 'endorsements') write.emit(relationsForgotten({ accountIds }));
  });
}
