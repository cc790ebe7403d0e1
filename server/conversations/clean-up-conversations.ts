import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { ConversationId } from '../platform/ids.ts';
import { continueWalk, type WalkedBatch } from '../platform/work/continue-walk.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { transaction } from '../platform/write/transaction.ts';
import { deleteUnusedConversations } from '../statuses/post/index.ts';

/** Conversations that a run examines: 1.4 million a day. */
const maxExamined = 10_000;
/** Conversations that one transaction deletes. */
const batchSize = 500;

/** Deletes conversations whose posts are gone, such as the remote posts that retention deletes. */
export const cleanUpConversations: Schedule = {
  name: 'conversation.clean_up_unused',
  pattern: '4-59/10 * * * *',
  run: (app) =>
    continueWalk(app, 'conversations', { maxExamined, examine: (after) => examineConversations(app, after) }),
};

async function examineConversations(app: App, after: string): Promise<WalkedBatch> {
  const { rows } = await sql<{ id: ConversationId; isUnused: boolean }>`
    with batch as materialized (
      select id from conversations where id > ${after}::bigint order by id limit ${batchSize}
    )
    select id, (
      not exists (select from statuses where conversation_id = batch.id)
      and not exists (select from conversation_mutes where conversation_id = batch.id)
      and not exists (select from account_conversations where conversation_id = batch.id)
    ) as "isUnused"
    from batch order by id`.execute(app.db);
  const unused = rows.filter(({ isUnused }) => isUnused).map(({ id }) => id);
  if (unused.length > 0) await transaction(app, (tx) => deleteUnusedConversations(tx, unused));
  return { examined: rows.length, last: rows.at(-1)?.id };
}
