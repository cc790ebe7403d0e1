import { later } from '../../platform/write/reactions.ts';
import { accountDeleted } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { deleteFollows, accountIdsOf } from './delete-follows.ts';
import { relationsChanged, relationshipsDeleted } from '../events.ts';
import { writable } from '../tables.ts';

const batchSize = 500;

/** Deletes the follows, blocks, mutes and severances of a deleted account, and adjusts the counters of the other accounts. */
export const deleteRelationships = later('background', [accountDeleted], {
  name: 'relationship.delete_account_relationships',
  run: async (app, { accountId }) => {
    while (await deleteFollowsBatch(app, accountId));
    for (const table of ['blocks', 'mutes', 'endorsements'] as const) await deleteRows(app, table, accountId);
    await transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('account_domain_blocks').where('account_id', '=', accountId).execute();
      await writable(db).deleteFrom('relationship_severances').where('account_id', '=', accountId).execute();
      await writable(db).deleteFrom('severed_follows').where('account_id', '=', accountId).execute();
    });
  },
});

async function deleteFollowsBatch(app: App, accountId: AccountId): Promise<boolean> {
  return transaction(app, async (tx) => {
    const pairs = [];
    for (const table of ['follow_requests', 'follows'] as const) {
      const rows = await tx.db
        .selectFrom(table)
        .select(['account_id as accountId', 'target_account_id as targetId'])
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
        .limit(batchSize)
        .execute();
      pairs.push(...rows);
    }
    const ended = await deleteFollows(tx, pairs);
    if (ended.length > 0) tx.emit(relationshipsDeleted({ accountIds: accountIdsOf(ended) }));
    return pairs.length > 0;
  });
}

async function deleteRows(app: App, table: 'blocks' | 'mutes' | 'endorsements', accountId: AccountId): Promise<void> {
  await transaction(app, async (tx) => {
    const rows = await writable(tx.db)
      .deleteFrom(table)
      .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
      .returning(['account_id', 'target_account_id'])
      .execute();
    if (rows.length === 0) return;
    const accountIds = accountIdsOf(rows);
    for (const id of accountIds) tx.emit(relationsChanged({ accountId: id }));
    if (table !== 'endorsements') tx.emit(relationshipsDeleted({ accountIds }));
  });
}
