import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId, type ConversationId, type RowId, type StatusId } from '../platform/ids.ts';
import { isHiddenSql } from '../relationships/rules/index.ts';
import { conversationUpdated } from './events.ts';

interface DirectStatus {
  readonly account_id: AccountId;
  readonly conversation_id: ConversationId;
  /** Author and mentioned accounts, in ascending order. */
  readonly people: AccountId[];
  /** Local participants that list it: those that hide no other participant. */
  readonly listers: AccountId[];
}

/**
 * Adds a direct status to the conversations of its local participants in the posting transaction, unread except for the
 * author. Idempotent. Other statuses cost no query.
 */
export async function addStatusToConversations(
  tx: Transaction,
  app: App,
  { statusId, direct }: { statusId: StatusId; direct: boolean },
): Promise<void> {
  if (!direct) return;
  const post = await findDirectStatus(tx, app, statusId);
  if (post === undefined || post.listers.length === 0) return;
  const ids = post.listers.map(() => newId<'row'>(app.clock.now()));
  // One statement locks, reads and changes the rows, so that no concurrent status is lost. Rows are locked in order, which
  // prevents deadlocks.
  const { rows } = await sql<{ id: RowId; account_id: AccountId }>`
    insert into account_conversations as c
      (id, account_id, conversation_id, participant_ids, status_ids, last_status_id, unread)
    select lister.id, lister.account_id, ${post.conversation_id}::bigint,
      array_remove(${post.people}::bigint[], lister.account_id), array[${statusId}::bigint], ${statusId}::bigint,
      lister.account_id <> ${post.account_id}::bigint and not exists (
        select 1 from conversation_mutes m
        where m.account_id = lister.account_id and m.conversation_id = ${post.conversation_id}::bigint)
    from unnest(${ids}::bigint[], ${post.listers}::bigint[]) as lister(id, account_id)
    order by lister.account_id
    on conflict (account_id, conversation_id, participant_ids) do update set
      status_ids = (select array_agg(id order by id) from unnest(c.status_ids || ${statusId}::bigint) as all_of(id)),
      last_status_id = greatest(c.last_status_id, ${statusId}::bigint),
      unread = case
        when c.account_id <> ${post.account_id}::bigint then c.unread or excluded.unread
        else c.unread and c.last_status_id > ${statusId}::bigint
      end,
      lock_version = c.lock_version + 1
    where ${statusId}::bigint <> all(c.status_ids)
    returning id, account_id`.execute(tx.db);
  for (const row of rows) {
    tx.emit(conversationUpdated({ conversationId: row.id, accountId: row.account_id }));
  }
}

async function findDirectStatus({ db }: Transaction, app: App, statusId: StatusId): Promise<DirectStatus | undefined> {
  const { rows } = await sql<DirectStatus>`
    with post as (
      select s.account_id, s.conversation_id, array(
        select m.account_id from mentions m where m.status_id = s.id and not m.silent
        union select s.account_id order by account_id) as people
      from statuses s
      where s.id = ${statusId}::bigint and s.visibility = 'direct' and s.conversation_id is not null
        and s.deleted_at is null
    )
    select post.*, array(
      select a.id from accounts a
      where a.id = any(post.people) and a.domain is null
        and not ${isHiddenSql(sql`a.id`, sql`any(post.people)`, app.clock.now())}
      order by a.id
    ) as listers from post`.execute(db);
  return rows[0];
}
