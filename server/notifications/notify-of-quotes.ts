import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { QuoteId } from '../quotes/index.ts';
import { deleteMatching } from './delete-matching.ts';
import { notify, type NewNotification } from './notify.ts';

interface AcceptedQuote {
  readonly status_id: StatusId;
  readonly account_id: AccountId;
  readonly quoted_account_id: AccountId;
}

const selectAcceptedQuote = preparedQuery<AcceptedQuote>()((db, { id }: { id: QuoteId }) =>
  db
    .selectFrom('quotes')
    .innerJoin('statuses as quoting', 'quoting.id', 'quotes.status_id')
    .innerJoin('statuses as quoted', 'quoted.id', 'quotes.quoted_status_id')
    .select(['quotes.status_id', 'quotes.account_id', 'quoted.account_id as quoted_account_id'])
    .where('quotes.id', '=', id)
    .where('quotes.state', '=', 'accepted')
    .where('quoted.local', '=', true)
    .where('quoted.deleted_at', 'is', null)
    // A direct status mentions the author that it quotes, which is a notification already.
    .where('quoting.visibility', '<>', 'direct')
    .where('quoting.backfilled', '=', false)
    .where('quoting.deleted_at', 'is', null),
);

/** Notifies a local author of a quote once it is accepted. */
export async function notifyOfQuote(
  app: App,
  { quoteId, to }: { readonly quoteId: QuoteId; readonly to: string },
): Promise<void> {
  if (to !== 'accepted') return;
  const [quote] = await selectAcceptedQuote(app, { id: quoteId });
  if (quote === undefined) return;
  const { status_id: statusId, account_id: fromAccountId, quoted_account_id: recipient } = quote;
  await notify(app, { type: 'quote', fromAccountId, statusId, recipients: [recipient] });
}

const loadLocalQuotes = preparedQuery<AcceptedQuote>()((db, { statusId }: { statusId: StatusId }) => ({
  compile: () =>
    sql<AcceptedQuote>`
      select q.status_id, q.account_id, s.account_id as quoted_account_id
      from statuses s
        join quotes q on q.quoted_status_id = s.id and q.quoted_status_id is not null and q.state = 'accepted'
        join accounts a on a.id = q.account_id and a.domain is null
        join statuses quoting on quoting.id = q.status_id and quoting.deleted_at is null
      where s.id = ${statusId}::bigint and s.deleted_at is null and not exists (
        select 1 from notifications n
        where n.account_id = q.account_id and n.type = 'quoted_update' and n.status_id = q.status_id
          and n.created_at >= s.edited_at)`.compile(db),
}));

/**
 * Notifies quoting authors of the latest edit of a status, in place of earlier edits. Each notification is about the
 * quote of its recipient, which shows the edited status.
 */
export async function notifyOfQuotedEdit(app: App, { statusId }: { readonly statusId: StatusId }): Promise<void> {
  const quotes = await loadLocalQuotes(app, { statusId });
  if (quotes.length === 0) return;
  const news = quotes.map((quote): NewNotification => ({
    type: 'quoted_update',
    fromAccountId: quote.quoted_account_id,
    statusId: quote.status_id,
    recipients: [quote.account_id],
  }));
  const statusIds = quotes.map(({ status_id: id }) => id);
  await transaction(app, (tx) =>
    deleteMatching(tx, sql<boolean>`type = 'quoted_update' and status_id = any(${statusIds}::bigint[])`),
  );
  await notify(app, ...news);
}
