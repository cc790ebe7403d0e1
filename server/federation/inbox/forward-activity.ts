import { sql } from 'kysely';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { hasAddress } from '../../platform/database/has-address.ts';
import { groupCommit } from '../../platform/write/group-commit.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { combinedFollowerInboxes } from '../delivery/inboxes.ts';
import { storeActivities, type OutgoingActivity } from '../delivery/store-activity.ts';
import { hostOf, idOf, idsOf, isObject, isPublic, typeOf, type Json } from '../documents/values.ts';
import { findStatusByUri, type FederatedStatus } from '../find-status-by-uri.ts';
import { listAccountsAffectedByRevocation } from './forward-revocation.ts';

/** An activity about a remote post or authorization to be forwarded to followers of local accounts. */
export interface Forwarding {
  /** Id of the post or authorization. */
  readonly uri: string;
  /** The local accounts whose followers receive it. */
  readonly accountIds: readonly [AccountId, ...AccountId[]];
}

/**
 * Determines whether a signed activity about a remote post is forwarded: to the followers of the local author that it
 * replies to, and for a Delete also of the local accounts that reblogged or quoted it (federation.tsv, Delete(Note) and
 * reply forwarding). The Delete of an authorization is forwarded without a signature too: it names nothing but a public
 * id, and receivers ask its origin. Must run before the activity is processed, because a Delete removes the post.
 */
export async function findForwarding(app: App, activity: Json): Promise<Forwarding | undefined> {
  const type = typeOf(activity);
  const uri = idOf(activity['object']);
  if (uri === undefined) return undefined;
  const revoked = type === 'Delete' ? await listAccountsAffectedByRevocation(app, activity) : [];
  if (revoked.length > 0) return toForwarding(uri, revoked);
  if (!isObject(activity['signature']) && !isObject(activity['proof'])) return undefined;
  if (type === 'Delete') return toForwarding(uri, await listAccountsAffectedByDelete(app, uri));
  return type === 'Create' || type === 'Update'
    ? toForwarding(uri, await listRepliedAccounts(app, activity))
    : undefined;
}

function toForwarding(uri: string, [first, ...rest]: readonly AccountId[]): Forwarding | undefined {
  return first === undefined ? undefined : { uri, accountIds: [first, ...rest] };
}

/** Returns the author of the public local post that a public post replies to. */
async function listRepliedAccounts(app: App, activity: Json): Promise<AccountId[]> {
  const { object } = activity;
  if (![...idsOf(activity['to']), ...idsOf(activity['cc'])].some(isPublic)) return [];
  const parentUri = isObject(object) ? idOf(object['inReplyTo']) : undefined;
  const parent = parentUri === undefined ? undefined : await findStatusByUri(app, parentUri);
  if (parent?.local !== true || !isPublicOrUnlisted(parent.visibility)) return [];
  return [parent.account_id];
}

async function listAccountsAffectedByDelete(app: App, uri: string): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    with post as (
      select id, in_reply_to_id from statuses
      where ${hasAddress('statuses.uri', uri)} and deleted_at is null and visibility in ('public', 'unlisted') and not local
    )
    select parent.account_id as id from post join statuses parent on parent.id = post.in_reply_to_id
    where parent.local and parent.visibility in ('public', 'unlisted')
    union select reblog.account_id from post join statuses reblog on reblog.reblog_of_id = post.id
    where reblog.local and reblog.deleted_at is null
    union select quote.account_id
    from post join quotes quote on quote.quoted_status_id = post.id join accounts on accounts.id = quote.account_id
    where accounts.domain is null and quote.state = 'accepted'`.execute(app.db);
  return rows.map(({ id }) => id);
}

/**
 * Forwards an activity unchanged. Only if it was accepted, so that rejected content is not spread, and not if the local
 * account blocks the author.
 */
export async function forwardActivity(
  app: App,
  { uri, accountIds }: Forwarding,
  { actor, activity, body }: { actor: AccountRow; activity: Json; body: string },
): Promise<void> {
  const status = await findStatusByUri(app, uri);
  const isGone = typeOf(activity) === 'Delete';
  if (isGone ? status !== undefined : !isPublished(status, actor)) return;
  const [senderId] = accountIds;
  if (!isGone && (await hasBlocked(app, senderId, actor))) return;
  await storeForwards(app, { uri, accountIds, body, origin: hostOf(actor.inbox_url ?? actor.uri) });
}

interface Forward extends Forwarding {
  readonly body: string;
  /** Host of the author, which has the activity. */
  readonly origin: string | undefined;
}

/** Each may have a delivery for thousands of hosts. */
const maxGroupedForwards = 16;

/** Stores the deliveries of forwarded activities together. Loads the followers of each account once. */
const storeForwards = groupCommit<Forward, void>(
  async (tx, app, forwards) => {
    const inboxesOf = new Map<string, readonly string[]>();
    const outgoing: OutgoingActivity[] = [];
    for (const { uri, accountIds, body, origin } of forwards) {
      const key = accountIds.join();
      const inboxes = inboxesOf.get(key) ?? (await combinedFollowerInboxes(tx.db, accountIds));
      inboxesOf.set(key, inboxes);
      outgoing.push({
        senderId: accountIds[0],
        activity: body,
        inboxes: inboxes.filter((inbox) => hostOf(inbox) !== origin),
        orderKey: `forward ${uri}`,
      });
    }
    await storeActivities(tx, app, outgoing);
    return forwards.map(() => undefined);
  },
  { maxBatchSize: maxGroupedForwards },
);

/** Whether an activity was accepted: a reply may also wait for the author of its parent. */
const isPublished = (status: FederatedStatus | undefined, actor: AccountRow): boolean =>
  status?.account_id === actor.id && isPublicOrUnlisted(status.visibility);

async function hasBlocked(app: App, accountId: AccountId, { id, domain }: AccountRow): Promise<boolean> {
  const { blocking, blockedDomains } = await loadAccountRelations(app, accountId);
  return blocking.has(id) || (domain !== null && blockedDomains.has(domain));
}
