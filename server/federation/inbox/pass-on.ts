import { sql } from 'kysely';
import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import type { AccountId } from '../../platform/ids.ts';
import { relationsOf } from '../../relationships/index.ts';
import { isForEverybody } from '../../statuses/index.ts';
import { inboxesOfFollowers } from '../delivery/inboxes.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { hostOf, idOf, idsOf, isObject, isPublic, typeOf, type Json } from '../documents/values.ts';
import { findKnownStatus } from '../find-status.ts';

/** News of a post of another server that followers of accounts here would not hear of otherwise. */
export interface News {
  /** Of the post. */
  readonly uri: string;
  /** Whose followers they are, at least one. */
  readonly accountIds: readonly [AccountId, ...AccountId[]];
}

/**
 * Says whom an activity about a post concerns beside its author's followers, if it is signed for being passed on: the
 * followers of who is answered here, and when the post ends also those of who reblogged or quoted it here (federation.tsv,
 * Delete(Note) and reply forwarding). Asked before the activity is acted upon: what it deletes is still there.
 */
export async function findNews(app: App, activity: Json): Promise<News | undefined> {
  if (!isObject(activity['signature'])) return undefined;
  const type = typeOf(activity);
  const uri = idOf(activity['object']);
  if (uri === undefined) return undefined;
  if (type === 'Delete') return newsFor(uri, await concernedByEnd(app, uri));
  return type === 'Create' || type === 'Update' ? newsFor(uri, await answeredBy(app, activity)) : undefined;
}

function newsFor(uri: string, [first, ...rest]: readonly AccountId[]): News | undefined {
  return first === undefined ? undefined : { uri, accountIds: [first, ...rest] };
}

/** Who wrote the open post here that an open one answers. */
async function answeredBy(app: App, activity: Json): Promise<AccountId[]> {
  const { object } = activity;
  if (![...idsOf(activity['to']), ...idsOf(activity['cc'])].some(isPublic)) return [];
  const parentUri = isObject(object) ? idOf(object['inReplyTo']) : undefined;
  const parent = parentUri === undefined ? undefined : await findKnownStatus(app, parentUri);
  if (parent?.local !== true || !isForEverybody(parent.visibility)) return [];
  return [parent.account_id];
}

async function concernedByEnd(app: App, uri: string): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    with post as (
      select id, in_reply_to_id from statuses
      where uri = ${uri} and deleted_at is null and visibility in ('public', 'unlisted') and not local
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
 * Passes an activity on, as it came, to the servers of those whom it concerns. Only what was taken here, or is gone here:
 * nobody shall have us spread what we refused ourselves. Nobody passes on what those say whom they block.
 */
export async function passOn(
  app: App,
  { uri, accountIds }: News,
  { actor, activity, body }: { actor: AccountRow; activity: Json; body: string },
): Promise<void> {
  const status = await findKnownStatus(app, uri);
  const isGone = typeOf(activity) === 'Delete';
  if (isGone ? status !== undefined : status?.account_id !== actor.id) return;
  const [senderId] = accountIds;
  if (!isGone && (await avoids(app, senderId, actor))) return;
  const origin = hostOf(actor.inbox_url ?? actor.uri);
  await write(app, async (write) => {
    const inboxes = (await inboxesOfFollowers(write.db, accountIds)).filter((inbox) => hostOf(inbox) !== origin);
    await storeActivity(write, app, { senderId, activity: body, inboxes, orderKey: `forward ${uri}` });
  });
}

async function avoids(app: App, accountId: AccountId, { id, domain }: AccountRow): Promise<boolean> {
  const { blocking, blockedDomains } = await relationsOf(app, accountId);
  return blocking.has(id) || (domain !== null && blockedDomains.has(domain));
}
