import { sql } from 'kysely';
import { findAccountByUri } from '../../accounts/find/index.ts';
import { listRequestsByAuthorization, type RequestRow } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { idOf, isSameHost, typeOf, type Json } from '../documents/values.ts';
import { isGoneAtOrigin } from '../fetch/is-gone-at-origin.ts';
import { revokeAuthorized } from '../revoke-authorized.ts';

const affectedAccounts = batchedQuery<{ id: AccountId }>()<{ uri: string; actorUri: string }>(
  { uri: 'text', actorUri: 'text' },
  ({ uri, actorUri }) => sql`
    with reply as (
      select consent.account_id, consent.reply_id as id
      from interaction_requests consent
        join accounts author on author.id = consent.author_id
        join statuses on statuses.id = consent.reply_id
      where consent.authorization_uri = ${uri} and consent.kind = 'reply' and consent.state = 'accepted'
        and author.uri = ${actorUri} and statuses.deleted_at is null and statuses.visibility in ('public', 'unlisted')
    )
    select reply.account_id as id from reply join accounts on accounts.id = reply.account_id
    where accounts.domain is null
    union select reblog.account_id from reply join statuses reblog on reblog.reblog_of_id = reply.id
    where reblog.local and reblog.deleted_at is null`,
);

/**
 * Returns the local accounts whose followers may have a reply that is revoked by the Delete of its authorization: the
 * authors of such replies and the accounts that reblogged them.
 */
export async function listAccountsAffectedByRevocation(app: App, activity: Json): Promise<AccountId[]> {
  const [uri, actorUri] = [idOf(activity['object']), idOf(activity['actor'])];
  if (uri === undefined || actorUri === undefined || uri === actorUri || typeOf(activity['object']) === 'Tombstone')
    return [];
  const rows = await affectedAccounts(app, { uri, actorUri });
  return rows.map(({ id }) => id);
}

/** Whether interactions and their posts are public, so that a 404 for the authorization means that there is none. */
async function areOpen(app: App, requests: readonly RequestRow[]): Promise<boolean> {
  const ids = requests.flatMap(({ status_id: id, reply_id: reply }) => (reply === null ? id : [id, reply]));
  const statuses = await loadCachedStatuses(app, ids);
  const visibilities = [
    ...requests.flatMap(({ visibility }) => visibility ?? []),
    ...[...statuses.values()].map(({ visibility }) => visibility),
  ];
  return visibilities.every(isPublicOrUnlisted);
}

/** Revokes what a forwarded Delete of an authorization names, if the server of its author no longer has it. */
export async function receiveForwardedRevocation(app: App, activity: Json): Promise<void> {
  const [uri, actorUri] = [idOf(activity['object']), idOf(activity['actor'])];
  if (uri === undefined || actorUri === undefined || !isSameHost(uri, actorUri)) return;
  const author = await findAccountByUri(app, actorUri);
  if (author === undefined || author.domain === null) return;
  const requests = await listRequestsByAuthorization(app, author.id, uri);
  if (requests.length > 0 && (await isGoneAtOrigin(app, uri, { acceptsMissing: await areOpen(app, requests) })))
    await revokeAuthorized(app, author.id, uri);
}
