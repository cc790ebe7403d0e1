import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { QuoteId } from '../quotes/index.ts';
import { notify, takeBack, type News } from './notify.ts';

interface Quoting {
  readonly status_id: StatusId;
  readonly account_id: AccountId;
  readonly quoted_account_id: AccountId;
}

const grantedQuote = prepared<Quoting>()((db, { id }: { id: QuoteId }) =>
  db
    .selectFrom('quotes')
    .innerJoin('statuses as quoting', 'quoting.id', 'quotes.status_id')
    .innerJoin('statuses as quoted', 'quoted.id', 'quotes.quoted_status_id')
    .select(['quotes.status_id', 'quotes.account_id', 'quoted.account_id as quoted_account_id'])
    .where('quotes.id', '=', id)
    .where('quotes.state', '=', 'accepted')
    .where('quoted.local', '=', true)
    .where('quoted.deleted_at', 'is', null)
    // Who is quoted in a private mention is mentioned in it.
    .where('quoting.visibility', '<>', 'direct')
    .where('quoting.deleted_at', 'is', null),
);

/** Tells a local author that somebody quotes a post of its own, once that is granted. */
export async function notifyOfQuote(
  app: App,
  { quoteId, to }: { readonly quoteId: QuoteId; readonly to: string },
): Promise<void> {
  if (to !== 'accepted') return;
  const [quote] = await grantedQuote(app, { id: quoteId });
  if (quote === undefined) return;
  const { status_id: statusId, account_id: fromAccountId, quoted_account_id: recipient } = quote;
  await notify(app, { type: 'quote', fromAccountId, statusId, recipients: [recipient] });
}

interface Told {
  readonly account_id: AccountId;
  readonly recipients: AccountId[];
}

const quotersOf = prepared<Told>()((db, { statusId }: { statusId: StatusId }) => ({
  compile: () =>
    sql<Told>`
      select s.account_id,
        array(
          select distinct q.account_id from quotes q join accounts a on a.id = q.account_id
          where q.quoted_status_id = s.id and q.quoted_status_id is not null and q.state = 'accepted'
            and a.domain is null and not exists (
              select 1 from notifications n
              where n.account_id = q.account_id and n.type = 'quoted_update' and n.status_id = s.id
                and n.created_at >= s.edited_at)) as recipients
      from statuses s where s.id = ${statusId}::bigint and s.deleted_at is null`.compile(db),
}));

/** Tells those who quote a status of its latest edit; what they were told of earlier ones goes. */
export async function notifyQuoters(app: App, { statusId }: { readonly statusId: StatusId }): Promise<void> {
  const [status] = await quotersOf(app, { statusId });
  if (status === undefined || status.recipients.length === 0) return;
  const { account_id: fromAccountId, recipients } = status;
  const news: News = { type: 'quoted_update', fromAccountId, statusId, recipients };
  await write(app, (transaction) => takeBack(transaction, news));
  await notify(app, news);
}
