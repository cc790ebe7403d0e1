import { sql, type Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../platform/ids.ts';
import { quoteChanged } from './events.ts';
import { writable, type QuoteId, type QuoteState, type QuoteTables } from './tables.ts';

export type QuoteRow = Selectable<QuoteTables['quotes']>;

export interface NewQuote {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  /** Null: unknown. */
  readonly quoted: { readonly id: StatusId; readonly accountId: AccountId } | null;
  readonly quotedUri: string;
  readonly state: QuoteState;
  readonly legacy?: boolean;
  readonly approvalUri?: string | null;
  readonly depth?: number;
}

/** Stores the quote of a status in the transaction that stores the status. */
export async function insertQuote(tx: Transaction, app: App, quote: NewQuote): Promise<QuoteId> {
  const now = app.clock.now();
  const id = newId<'quote'>(now);
  const { state, depth = 0 } = quote;
  const row: QuoteRow = {
    id,
    status_id: quote.statusId,
    account_id: quote.accountId,
    quoted_status_id: quote.quoted?.id ?? null,
    quoted_account_id: quote.quoted?.accountId ?? null,
    quoted_uri: quote.quotedUri,
    state,
    legacy: quote.legacy ?? false,
    approval_uri: quote.approvalUri ?? null,
    created_at: now,
  };
  await writable(tx.db).insertInto('quotes').values(row).execute();
  emitQuoteChanged(tx, row, { from: 'new', to: state, depth });
  return id;
}

/**
 * Accepts a pending quote of a known status. Returns false if it is not pending. The caller has verified that the quoted
 * author agrees. `approvalUri`: the remote QuoteAuthorization.
 */
export async function acceptQuote(tx: Transaction, id: QuoteId, approvalUri?: string): Promise<boolean> {
  const row = await writable(tx.db)
    .updateTable('quotes')
    .set({ state: 'accepted', ...(approvalUri !== undefined && { approval_uri: approvalUri }) })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('quoted_status_id', 'is not', null)
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) emitQuoteChanged(tx, row, { from: 'pending', to: 'accepted' });
  return row !== undefined;
}

/** Rejects a pending quote or revokes an accepted one. Returns its new state, or undefined if nothing changed. */
export async function rejectOrRevokeQuote(tx: Transaction, id: QuoteId): Promise<'rejected' | 'revoked' | undefined> {
  const before = await lockQuote(tx, id);
  if (before === undefined || (before.state !== 'pending' && before.state !== 'accepted')) return undefined;
  const to = before.state === 'accepted' ? 'revoked' : 'rejected';
  await writable(tx.db).updateTable('quotes').set({ state: to }).where('id', '=', id).execute();
  emitQuoteChanged(tx, before, { from: before.state, to });
  return to;
}

/** Makes a quote pending again, with a new approval to verify. */
export async function reopenQuote(tx: Transaction, id: QuoteId, approvalUri: string | null): Promise<void> {
  const before = await lockQuote(tx, id);
  if (before === undefined) return;
  await writable(tx.db)
    .updateTable('quotes')
    .set({ state: 'pending', approval_uri: approvalUri, legacy: false })
    .where('id', '=', id)
    .execute();
  emitQuoteChanged(tx, before, { from: before.state, to: 'pending' });
}

/** Marks the quoted status of a remote quote as deleted. */
export async function markQuotedDeleted(tx: Transaction, id: QuoteId): Promise<void> {
  const before = await lockQuote(tx, id);
  if (before === undefined || before.state === 'deleted') return;
  await writable(tx.db).updateTable('quotes').set({ state: 'deleted' }).where('id', '=', id).execute();
  emitQuoteChanged(tx, before, { from: before.state, to: 'deleted' });
}

/** Links a pending quote to the quoted status, once it is known. */
export async function linkQuote(
  { db }: Transaction,
  id: QuoteId,
  quoted: { readonly id: StatusId; readonly accountId: AccountId },
): Promise<void> {
  await writable(db)
    .updateTable('quotes')
    .set({ quoted_status_id: quoted.id, quoted_account_id: quoted.accountId })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('quoted_status_id', 'is', null)
    .execute();
}

/** Deletes the quotes of these statuses, which have one at most. */
export async function deleteQuotesOf(tx: Transaction, statusIds: readonly StatusId[]): Promise<void> {
  const { rows } = await sql<QuoteRow>`
    delete from quotes where status_id = any(${statusIds}::bigint[]) returning *`.execute(tx.db);
  for (const row of rows) emitQuoteChanged(tx, row, { from: row.state, to: 'gone' });
}

/**
 * Marks up to `limit` quotes of deleted statuses and returns their number. Emits no events: the statuses themselves are
 * missing.
 */
export async function markQuotesDeleted(
  { db }: Transaction,
  quotedStatusIds: readonly StatusId[],
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    update quotes set state = 'deleted' where id in (
      select id from quotes where quoted_status_id = any(${quotedStatusIds}::bigint[]) and state in ('pending', 'accepted')
      order by id limit ${limit} for update skip locked)
    returning id`.execute(db);
  return rows.length;
}

function lockQuote({ db }: Transaction, id: QuoteId): Promise<QuoteRow | undefined> {
  return db.selectFrom('quotes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

interface StateChange {
  readonly from: QuoteState | 'new';
  readonly to: QuoteState | 'gone';
  readonly depth?: number;
}

function emitQuoteChanged(tx: Transaction, row: QuoteRow, { from, to, depth = 0 }: StateChange): void {
  const { id: quoteId, status_id: statusId, account_id: accountId } = row;
  const { quoted_status_id: quotedStatusId, quoted_account_id: quotedAccountId } = row;
  tx.emit(quoteChanged({ quoteId, statusId, accountId, quotedStatusId, quotedAccountId, from, to, depth }));
}
