import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { StatusId } from '../platform/ids.ts';
import type { QuoteRow } from './change-quote.ts';
import type { QuoteId } from './tables.ts';

export function findQuote(app: App, id: QuoteId): Promise<QuoteRow | undefined> {
  return app.db.selectFrom('quotes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the quote of a status. */
export function findQuoteOf(app: App, statusId: StatusId): Promise<QuoteRow | undefined> {
  return app.db.selectFrom('quotes').selectAll().where('status_id', '=', statusId).executeTakeFirst();
}

/** Like `findQuoteOf`, and locks the quote. */
export function lockQuoteOf({ db }: Transaction, statusId: StatusId): Promise<QuoteRow | undefined> {
  return db.selectFrom('quotes').selectAll().where('status_id', '=', statusId).forUpdate().executeTakeFirst();
}

/** Returns up to 100 quotes that refer to this QuoteAuthorization. */
export const listQuotesByApproval = (app: App, uri: string): Promise<QuoteRow[]> => selectByApproval(app, { uri });

const selectByApproval = batchedQuery<QuoteRow>()<{ uri: string }>(
  { uri: 'text' },
  ({ uri }) => sql`select * from quotes where approval_uri = ${uri} limit 100`,
  { batchSize: 128 },
);
