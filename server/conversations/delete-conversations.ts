import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import { writable } from './tables.ts';

/** Deletes a conversation of the owner only (CNV-01); the next status recreates it. Throws 404 if it does not exist. */
export async function deleteConversation(app: App, accountId: AccountId, id: RowId): Promise<void> {
  const { numDeletedRows } = await transaction(app, ({ db }) =>
    writable(db)
      .deleteFrom('account_conversations')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
  );
  if (numDeletedRows === 0n) throw notFound();
}

/** Deletes the conversations with an account that the owner blocked or muted. */
export async function deleteConversationsWith(
  { db }: Transaction,
  _app: App,
  { accountId, targetAccountId }: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  await sql`
    delete from account_conversations
    where account_id = ${accountId}::bigint and ${targetAccountId}::bigint = any(participant_ids)`.execute(db);
}

/** Deletes the conversations with accounts of a domain that the owner blocked. */
export async function deleteConversationsWithDomain(
  { db }: Transaction,
  _app: App,
  { accountId, domain }: { accountId: AccountId; domain: string },
): Promise<void> {
  await sql`
    delete from account_conversations
    where account_id = ${accountId}::bigint and exists (
      select 1 from accounts a where a.id = any(participant_ids) and a.domain = ${domain}::text)`.execute(db);
}

/** Deletes the conversations of a deleted account. */
export async function deleteAccountConversations(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('account_conversations').where('account_id', '=', accountId).execute();
  });
}
