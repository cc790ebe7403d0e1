import { findRequest, lockRequest, storeDecision, type RequestRow } from '../../interactions/requests/index.ts';
import type { InteractionRequestId } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { storeFavourites } from '../react/favourite-status.ts';
import { insertReblog } from '../react/insert-reblog.ts';
import { publishReply } from './publish-reply.ts';

export interface Decision {
  readonly state: 'accepted' | 'rejected';
  /** The authorization by a remote author. */
  readonly authorizationUri?: string | undefined;
}

/** Returns a request about a post of `accountId`, decided or not. Throws 404 for any other. */
export async function requireRequest(app: App, accountId: AccountId, id: InteractionRequestId): Promise<RequestRow> {
  const request = await findRequest(app, id);
  if (request?.author_id !== accountId) throw notFound();
  return request;
}

/**
 * Accepts or rejects an interaction as the author of the post. An accepted one happens now; a rejected reply is deleted by
 * a job. Returns false if it is no longer pending. The caller has verified that the author decided.
 */
export function decideRequest(app: App, id: InteractionRequestId, decision: Decision): Promise<boolean> {
  return transaction(app, async (tx) => {
    const request = await lockRequest(tx, id);
    if (request?.state !== 'pending') return false;
    await storeDecision(tx, app, request, decision);
    if (decision.state === 'accepted') await perform(tx, app, request);
    return true;
  });
}

async function perform(tx: Transaction, app: App, request: RequestRow): Promise<void> {
  switch (request.kind) {
    case 'favourite': {
      const { account_id: accountId, status_id: statusId, uri } = request;
      await storeFavourites(tx, app, [{ accountId, statusId, statusLocal: true, uri }]);
      return;
    }
    case 'reblog':
      return reblog(tx, app, request);
    case 'reply':
      return publishReply(tx, app, request);
  }
}

/** The id of a local reblog is part of its uri, so that of the request is taken. */
async function reblog(tx: Transaction, app: App, request: RequestRow): Promise<void> {
  const { account_id: accountId, status_id: reblogOfId, uri, visibility } = request;
  if (uri === null || visibility === null) return;
  const account = await tx.db.selectFrom('accounts').select('domain').where('id', '=', accountId).executeTakeFirst();
  const local = account?.domain === null;
  const createdAt = app.clock.now();
  const id = local ? (request.id as string as StatusId) : newId<'status'>(createdAt);
  await insertReblog(tx, { id, accountId, reblogOfId, uri, local, visibility, applicationId: null, createdAt });
}
