import { sql } from 'kysely';
import { findAccountByUri } from '../../accounts/find/index.ts';
import { listRequestsByAuthorization } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idOf, isSameHost, typeOf, type Json } from '../documents/values.ts';
import { isGoneAtOrigin } from '../fetch/is-gone-at-origin.ts';
import { revokeAuthorized } from '../revoke-authorized.ts';

/**
 * Returns the local accounts whose followers may have a reply that is revoked by the Delete of its authorization: the
 * authors of such replies and the accounts that reblogged them.
 */
export async function listAccountsAffectedByRevocation(app: App, activity: Json): Promise<AccountId[]> {
  const [uri, actorUri] = [idOf(activity['object']), idOf(activity['actor'])];
  if (uri === undefined || uri === actorUri || typeOf(activity['object']) === 'Tombstone') return [];
  const { rows } = await sql<{ id: AccountId }>`
    with reply as (
      select request.account_id, request.reply_id as id
      from interaction_requests request
        join accounts author on author.id = request.author_id
        join statuses on statuses.id = request.reply_id
      where request.authorization_uri = ${uri} and request.kind = 'reply' and request.state = 'accepted'
        and author.uri = ${actorUri} and statuses.deleted_at is null and statuses.visibility in ('public', 'unlisted')
    )
    select reply.account_id as id from reply join accounts on accounts.id = reply.account_id
    where accounts.domain is null
    union select reblog.account_id from reply join statuses reblog on reblog.reblog_of_id = reply.id
    where reblog.local and reblog.deleted_at is null`.execute(app.db);
  return rows.map(({ id }) => id);
}

/** Revokes what a forwarded Delete of an authorization names, if the server of its author no longer has it. */
export async function receiveForwardedRevocation(app: App, activity: Json): Promise<void> {
  const [uri, actorUri] = [idOf(activity['object']), idOf(activity['actor'])];
  if (uri === undefined || actorUri === undefined || !isSameHost(uri, actorUri)) return;
  const author = await findAccountByUri(app, actorUri);
  if (author === undefined || author.domain === null) return;
  const requests = await listRequestsByAuthorization(app, author.id, uri);
  if (requests.length > 0 && (await isGoneAtOrigin(app, uri, { acceptsMissing: true })))
    await revokeAuthorized(app, author.id, uri);
}
