import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { pagedQuery } from '../../platform/database/paged-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Interaction } from '../policy/interaction-policy.ts';
import type { InteractionRequestId } from './tables.ts';
import type { RequestRow } from './change-request.ts';

export function findRequest(app: App, id: InteractionRequestId): Promise<RequestRow | undefined> {
  return app.db.selectFrom('interaction_requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the request for the interaction with this ActivityPub id: with a post of the author, or of the account. */
export function findRequestByUri(
  app: App,
  side: { readonly author_id: AccountId } | { readonly account_id: AccountId },
  uri: string,
): Promise<RequestRow | undefined> {
  const [column, id] =
    'author_id' in side ? (['author_id', side.author_id] as const) : (['account_id', side.account_id] as const);
  return app.db
    .selectFrom('interaction_requests')
    .selectAll()
    .where('uri', '=', uri)
    .where(column, '=', id)
    .executeTakeFirst();
}

/** Returns whether a reply waits for the author of its parent. */
export async function isReplyPending({ db }: Pick<App, 'db'> | Transaction, replyId: StatusId): Promise<boolean> {
  const row = await db
    .selectFrom('interaction_requests')
    .select('id')
    .where('reply_id', '=', replyId)
    .where('reply_id', 'is not', null)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}

const selectByAuthorization = batchedQuery<RequestRow>()<{ authorId: AccountId; uri: string }>(
  { authorId: 'bigint', uri: 'text' },
  ({ authorId, uri }) => sql`
    select * from interaction_requests where authorization_uri = ${uri} and author_id = ${authorId} limit 100`,
  { batchSize: 128 },
);

/** Returns up to 100 requests that a remote author accepted with this authorization. */
export const listRequestsByAuthorization = (app: App, authorId: AccountId, uri: string): Promise<RequestRow[]> =>
  selectByAuthorization(app, { authorId, uri });

/** Returns up to `limit` requests of an account to a local author that wait or were accepted. */
export function listRequestsBetween(
  app: App,
  { authorId, accountId }: { readonly authorId: AccountId; readonly accountId: AccountId },
  limit: number,
): Promise<RequestRow[]> {
  return app.db
    .selectFrom('interaction_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('author_id', '=', authorId)
    .where('state', 'in', ['pending', 'accepted'])
    .where((where) =>
      where.exists(
        where
          .selectFrom('accounts')
          .select('id')
          .whereRef('accounts.id', '=', 'interaction_requests.author_id')
          .where('domain', 'is', null),
      ),
    )
    .limit(limit)
    .execute();
}

interface UnansweredRequests {
  readonly isAuthorLocal: boolean;
  /** An id of the time before which they were sent. */
  readonly before: InteractionRequestId;
  readonly limit: number;
}

/** Returns the ids of the oldest requests that wait. */
export async function listUnansweredRequests(
  { db }: App,
  { isAuthorLocal, before, limit }: UnansweredRequests,
): Promise<InteractionRequestId[]> {
  const rows = await db
    .selectFrom('interaction_requests as request')
    .innerJoin('accounts as author', 'author.id', 'request.author_id')
    .select('request.id')
    .where('request.state', '=', sql.lit('pending' as const))
    .where('request.id', '<', before)
    .where('author.domain', isAuthorLocal ? 'is' : 'is not', null)
    .orderBy('request.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

interface RequestsArgs {
  readonly authorId: AccountId;
  readonly kinds: readonly Interaction[];
  /** Null: of all statuses. */
  readonly statusId: StatusId | null;
}

/** The state is part of the statement, because each has a partial index. */
const requestsIn = (state: 'pending' | 'accepted') =>
  pagedQuery<RequestRow>()<RequestsArgs>((db, args, order) => ({
    compile: () =>
      sql<RequestRow>`
        select * from interaction_requests
        where author_id = ${args.authorId} and state = ${sql.lit(state)} and kind = any(${args.kinds}::text[])
          and (${args.statusId}::bigint is null or status_id = ${args.statusId}::bigint)
          and id < ${args.below} and id > ${args.above}
        order by id ${order} limit ${args.limit}`.compile(db),
  }));
const requests = { pending: requestsIn('pending'), accepted: requestsIn('accepted') };

/** Returns a page of the requests to an author that wait, or that the author accepted, latest first. */
export const listRequests = (
  app: App,
  page: Page,
  { state, ...args }: RequestsArgs & { readonly state: keyof typeof requests },
): Promise<RequestRow[]> => requests[state](app, page, args);
