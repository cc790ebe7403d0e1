import { accountBodies, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { isForEverybody, storeRemoteReblog } from '../../statuses/index.ts';
import { authorOf, isNote, readNote, visibilityOf } from '../documents/read-note.ts';
import { dateOf, hostOf, idOf, idsOf, isObject, sameHost, typeOf } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { findKnownStatus, type KnownStatus } from '../find-status.ts';
import { resolveStatus } from '../fetch/resolve-status.ts';
import { storeNote } from '../fetch/store-note.ts';
import { isDeleted } from '../tombstones.ts';
import { isFollowedHere } from './relevance.ts';
import type { Received } from './received.ts';

const wrapped: ReadonlySet<string | undefined> = new Set(['Create', 'Update']);

/**
 * Somebody reblogs a post. What is not known is fetched from its origin, whatever the activity says it is, and only when
 * somebody here follows the one who reblogs. Only what everybody may read, or is the actor's own, can be reblogged.
 */
export async function receiveAnnounce(app: App, { activity, actor }: Received): Promise<void> {
  const id = idOf(activity);
  const uri = announcedUri(activity['object']);
  if (id === undefined || uri === undefined || !sameHost(id, actor.uri)) return;
  if (await isBlockedDomain(app, hostOf(uri) ?? '')) return;
  const original = (await findOrFetch(app, uri, actor.id)) ?? (await storeOwn(app, actor, activity['object']));
  if (original === undefined || !(await mayReblog(app, original, actor.id))) return;
  await storeRemoteReblog(app, {
    uri: id,
    accountId: actor.id,
    reblogOfId: original.id,
    visibility: visibilityOf({ to: idsOf(activity['to']), cc: idsOf(activity['cc']) }, actor.followers_url),
    publishedAt: dateOf(activity['published']) ?? app.clock.now(),
  });
}

/** What somebody reblogs of its own may come whole, because only its followers can have it. */
async function storeOwn(app: App, actor: AccountRow, object: unknown): Promise<KnownStatus | undefined> {
  const uri = idOf(object);
  const isOwn = isObject(object) && isNote(object) && sameHost(uri, actor.uri) && authorOf(object) === actor.uri;
  if (uri === undefined || !isOwn || (await isDeleted(app, actor.uri, uri))) return undefined;
  if (!(await isFollowedHere(app, [actor.id]))) return undefined;
  await storeNote(app, readNote(object));
  return findKnownStatus(app, uri);
}

/** Groups pass on whole activities: what they are about is meant. */
function announcedUri(object: unknown): string | undefined {
  return isObject(object) && wrapped.has(typeOf(object)) ? idOf(object['object']) : idOf(object);
}

async function findOrFetch(
  app: App,
  uri: string,
  actorId: KnownStatus['account_id'],
): Promise<KnownStatus | undefined> {
  const known = await findKnownStatus(app, uri);
  if (known !== undefined || !(await isFollowedHere(app, [actorId]))) return known;
  return (await resolveStatus(app, uri)) === undefined ? undefined : findKnownStatus(app, uri);
}

async function mayReblog(app: App, original: KnownStatus, actorId: KnownStatus['account_id']): Promise<boolean> {
  const author = (await accountBodies(app, [original.account_id])).get(original.account_id);
  if (author === undefined || author.suspended || original.reblog_of_id !== null) return false;
  if (isForEverybody(original.visibility)) return true;
  return original.visibility === 'private' && original.account_id === actorId;
}
