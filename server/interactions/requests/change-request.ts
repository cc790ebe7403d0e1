import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Interaction } from '../policy/interaction-policy.ts';
import { writable, type InteractionRequestId, type InteractionTables, type RequestState } from './tables.ts';
import { interactionDecided, interactionRequested, interactionWithdrawn } from './events.ts';

export type RequestRow = Selectable<InteractionTables['interaction_requests']>;

/** An interaction that waits for the author of a post, or that the author's policy accepts. */
export interface NewRequest {
  readonly id: InteractionRequestId;
  readonly kind: Interaction;
  readonly state: 'pending' | 'accepted';
  readonly statusId: StatusId;
  readonly authorId: AccountId;
  readonly accountId: AccountId;
  readonly replyId?: StatusId;
  readonly uri: string | null;
  readonly requestUri?: string | undefined;
  readonly visibility?: RequestRow['visibility'];
  readonly mentions?: readonly { readonly accountId: AccountId; readonly silent: boolean }[];
  readonly unresolvedHandles?: readonly string[];
  /** The verified authorization by a remote author. */
  readonly authorizationUri?: string | undefined;
}

/**
 * Stores a request. Returns the state of the earlier one if the account requested the same before. An authorization
 * replaces an earlier decision.
 */
export async function insertRequest(
  tx: Transaction,
  app: App,
  request: NewRequest,
): Promise<RequestState | 'inserted'> {
  const now = app.clock.now();
  const { mentions = [] } = request;
  const idsOf = (silent: boolean) => mentions.flatMap((each) => (each.silent === silent ? [each.accountId] : []));
  const row: RequestRow = {
    id: request.id,
    kind: request.kind,
    state: request.state,
    status_id: request.statusId,
    author_id: request.authorId,
    account_id: request.accountId,
    reply_id: request.replyId ?? null,
    uri: request.uri,
    request_uri: request.requestUri ?? null,
    visibility: request.visibility ?? null,
    mentioned_ids: idsOf(false),
    silent_ids: idsOf(true),
    unresolved_handles: [...(request.unresolvedHandles ?? [])],
    authorization_uri: request.authorizationUri ?? null,
    created_at: now,
    decided_at: request.state === 'pending' ? null : now,
  };
  const { numInsertedOrUpdatedRows } = await writable(tx.db)
    .insertInto('interaction_requests')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return updateEarlier(tx, row);
  if (request.state === 'pending') tx.emit(interactionRequested(eventOf(row)));
  else tx.emit(interactionDecided({ ...eventOf(row), state: request.state }));
  return 'inserted';
}

/** Returns the state of the stored request for the same interaction, after it got the authorization of the new one. */
async function updateEarlier({ db }: Transaction, row: RequestRow): Promise<RequestState> {
  const { kind, state, reply_id: replyId, status_id: statusId, account_id: accountId, uri } = row;
  const isSame =
    replyId === null
      ? sql<boolean>`reply_id is null and status_id = ${statusId} and account_id = ${accountId} and kind = ${kind}`
      : sql<boolean>`reply_id = ${replyId}`;
  const { authorization_uri } = row;
  const earlier = db.selectFrom('interaction_requests').select('state').where(isSame);
  const changed = writable(db).updateTable('interaction_requests').set({ state, uri, authorization_uri }).where(isSame);
  const query = authorization_uri === null ? earlier : changed.returning('state');
  return (await query.executeTakeFirstOrThrow()).state;
}

/** Returns and locks a request. */
export function lockRequest({ db }: Transaction, id: InteractionRequestId): Promise<RequestRow | undefined> {
  return db.selectFrom('interaction_requests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Stores the decision about a locked request. */
export async function storeDecision(
  tx: Transaction,
  app: App,
  request: RequestRow,
  decision: { readonly state: Exclude<RequestState, 'pending'>; readonly authorizationUri?: string | undefined },
): Promise<void> {
  const { state, authorizationUri } = decision;
  await writable(tx.db)
    .updateTable('interaction_requests')
    .set({
      state,
      decided_at: app.clock.now(),
      mentioned_ids: [],
      silent_ids: [],
      unresolved_handles: [],
      ...(authorizationUri !== undefined && { authorization_uri: authorizationUri }),
    })
    .where('id', '=', request.id)
    .execute();
  tx.emit(interactionDecided({ ...eventOf(request), state }));
}

/** Deletes the pending favourite or reblog of an account. Returns false if there is none. */
export async function withdrawRequest(
  tx: Transaction,
  { accountId, statusId, kind }: { accountId: AccountId; statusId: StatusId; kind: 'favourite' | 'reblog' },
): Promise<boolean> {
  const row = await writable(tx.db)
    .deleteFrom('interaction_requests')
    .where('status_id', '=', statusId)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) tx.emit(interactionWithdrawn({ ...eventOf(row), uri: row.uri }));
  return row !== undefined;
}

/** Deletes a request that nobody answered, so that the account may ask again. */
export async function deleteUnansweredRequest(tx: Transaction, id: InteractionRequestId): Promise<void> {
  const row = await writable(tx.db)
    .deleteFrom('interaction_requests')
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) tx.emit(interactionWithdrawn({ ...eventOf(row), uri: row.uri }));
}

/** Deletes the pending requests about a deleted status, and the one of a deleted reply. */
export async function deletePendingRequestsOf({ db }: Transaction, statusIds: readonly StatusId[]): Promise<void> {
  await sql`
    delete from interaction_requests
    where state = 'pending'
      and (status_id = any(${statusIds}::bigint[]) or reply_id = any(${statusIds}::bigint[]))`.execute(db);
}

/** Deletes up to `limit` requests by or to an account, and returns their number. */
export async function deleteAccountRequests({ db }: Transaction, accountId: AccountId, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from interaction_requests where id in (
      select id from interaction_requests where account_id = ${accountId}::bigint
      union all select id from interaction_requests where author_id = ${accountId}::bigint
      limit ${limit})
    returning id`.execute(db);
  return rows.length;
}

function eventOf({ id, kind, status_id, author_id, account_id, reply_id }: RequestRow) {
  return {
    requestId: id,
    kind,
    statusId: status_id,
    authorId: author_id,
    accountId: account_id,
    replyId: reply_id,
  };
}
