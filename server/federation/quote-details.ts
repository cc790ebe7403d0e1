import type { App } from '../platform/app.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { QuoteId, QuoteState } from '../quotes/index.ts';
import type { Visibility } from '../statuses/index.ts';
import type { QuoteUris } from './documents/quote-documents.ts';

/** A quote of a stored post, with the properties of both posts that federation needs. */
export interface QuoteDetails extends QuoteUris {
  readonly id: QuoteId;
  readonly state: QuoteState;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly visibility: Visibility;
  readonly quotedStatusId: StatusId;
  readonly quotedAccountId: AccountId;
  readonly quotedLocal: boolean;
  readonly quotedVisibility: Visibility;
}

/** Returns a quote with its two posts; undefined if one of them is unknown or deleted. */
export function findQuoteDetails(db: App['db'], id: QuoteId): Promise<QuoteDetails | undefined> {
  return db
    .selectFrom('quotes as quote')
    .innerJoin('statuses as quoting', 'quoting.id', 'quote.status_id')
    .innerJoin('accounts as actor', 'actor.id', 'quoting.account_id')
    .innerJoin('statuses as quoted', 'quoted.id', 'quote.quoted_status_id')
    .innerJoin('accounts as author', 'author.id', 'quoted.account_id')
    .select([
      'quote.id',
      'quote.state',
      'quoting.id as statusId',
      'quoting.account_id as accountId',
      'quoting.visibility',
      'quoting.uri as quoting',
      'actor.uri as quotingActor',
      'quoted.id as quotedStatusId',
      'quoted.account_id as quotedAccountId',
      'quoted.local as quotedLocal',
      'quoted.visibility as quotedVisibility',
      'quoted.uri as quoted',
      'author.uri as quotedActor',
    ])
    .where('quote.id', '=', id)
    .where('quoting.deleted_at', 'is', null)
    .where('quoted.deleted_at', 'is', null)
    .executeTakeFirst();
}
