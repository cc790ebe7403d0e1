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
import { receiveForwarded } from './receive-forwarded.ts';
import { isFollowedHere } from './relevance.ts';
import type { Received } from './received.ts';

const wrapped: ReadonlySet<string | undefined> = new Set(['Create', 'Update']);

/**
 * Stores a reblog. An unknown post is fetched from its origin, whatever the activity says it is, and only if somebody here
 * follows the actor. Only public and unlisted posts, or the actor's own, can be reblogged. Groups announce the activities
 * of their members: a Delete or Update counts as a forwarded one.
 */
export async function receiveAnnounce(app: App, { activity, actor }: Received): Promise<void> {
  const { object } = activity;
  const type = typeOf(object);
  if (isObject(object) && (type === 'Delete' || type === 'Update')) await receiveForwarded(app, object);
  if (type === 'Delete') return;
  const id = idOf(activity);
  const uri = announcedUri(object);
  if (id === undefined || uri === undefined || !sameHost(id, actor.uri)) return;
  if (await isBlockedDomain(app, hostOf(uri) ?? '')) return;
  const original = (await findOrFetch(app, uri, actor.id)) ?? (await storeOwn(app, actor, object));
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

/** Of an announced activity its object counts; votes, blocks and the like that groups announce are no posts. */
function announcedUri(object: unknown): string | undefined {
  if (!isObject(object) || isNote(object)) return idOf(object);
  return wrapped.has(typeOf(object)) ? idOf(object['object']) : undefined;
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
