import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { StatusId } from '../platform/ids.ts';
import type { QuoteRow } from './change-quote.ts';
import type { QuoteId } from './tables.ts';

/** A quote by its id. */
export function findQuote(app: App, id: QuoteId): Promise<QuoteRow | undefined> {
  return app.db.selectFrom('quotes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** What a post quotes. */
export function findQuoteOf(app: App, statusId: StatusId): Promise<QuoteRow | undefined> {
  return app.db.selectFrom('quotes').selectAll().where('status_id', '=', statusId).executeTakeFirst();
}

/** As `findQuoteOf`, kept as it is until the end of the transaction. */
export function lockQuoteOf({ db }: Transaction, statusId: StatusId): Promise<QuoteRow | undefined> {
  return db.selectFrom('quotes').selectAll().where('status_id', '=', statusId).forUpdate().executeTakeFirst();
}

/** The quotes that a QuoteAuthorization of this id is said to grant. */
export function listQuotesByApproval(app: App, uri: string): Promise<QuoteRow[]> {
  return app.db.selectFrom('quotes').selectAll().where('approval_uri', '=', uri).limit(100).execute();
}
