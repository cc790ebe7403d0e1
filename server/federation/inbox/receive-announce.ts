import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { needsProof } from '../../interactions/policy/index.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { holdReaction } from '../../statuses/approval/index.ts';
import { storeRemoteReblog, type RemoteReblog } from '../../statuses/remote/index.ts';
import { authorOf, isNote, parseNote, visibilityOf } from '../documents/parse-note.ts';
import { dateOf, hostOf, idOf, idsOf, isObject, isSameHost, typeOf, type Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { findStatusByUri, type FederatedStatus } from '../find-status-by-uri.ts';
import { fetchAuthorization } from '../fetch/fetch-authorization.ts';
import { resolveStatus } from '../fetch/resolve-status.ts';
import { storeNote } from '../fetch/store-note.ts';
import { receiveRelayedPost } from '../relays/receive-from-relay.ts';
import { revokeIfDeleted } from '../revoke-authorized.ts';
import { hasTombstone } from '../tombstones.ts';
import { admitInteraction } from './admit-interaction.ts';
import { receiveForwarded } from './receive-forwarded.ts';
import { isFollowedLocally } from './relevance.ts';
import type { ReceivedActivity } from './received-activity.ts';

const wrapperTypes: ReadonlySet<string | undefined> = new Set(['Create', 'Update']);

/**
 * Stores a reblog. Fetches an unknown post from its origin, but only if the actor has local followers. Only public and
 * unlisted posts can be reblogged. Groups announce activities of their members: an announced
 * Delete or Update is processed like a forwarded one, and a reply belongs to its thread, not to the group's profile. What a relay announces is stored, and not shown as its reblog.
 */
export async function receiveAnnounce(app: App, { activity, actor, requestUri }: ReceivedActivity): Promise<void> {
  const { object } = activity;
  const type = typeOf(object);
  if (isObject(object) && (type === 'Delete' || type === 'Update')) await receiveForwarded(app, object);
  if (type === 'Delete') return;
  const id = idOf(activity);
  const uri = announcedUri(object);
  if (id === undefined || uri === undefined || !isSameHost(id, actor.uri)) return;
  if ((await isBlockedDomain(app, hostOf(uri) ?? '')) || (await hasTombstone(app, actor.uri, id))) return;
  if (await receiveRelayedPost(app, actor.uri, uri)) return;
  const original = (await findOrFetchStatus(app, uri, actor.id)) ?? (await storeSelfReblogged(app, actor, object));
  if (actor.actor_type === 'Group' && isWrappedReply(object)) return;
  if (original === undefined || !(await canReblogRemotely(app, original))) return;
  const visibility = visibilityOf({ to: idsOf(activity['to']), cc: idsOf(activity['cc']) }, actor.followers_url);
  const received = { interaction: 'reblog', statusId: original.id, uri: id, requestUri, visibility } as const;
  const reblog = {
    uri: id,
    accountId: actor.id,
    reblogOfId: original.id,
    visibility,
    publishedAt: dateOf(activity['published']) ?? app.clock.now(),
  };
  if (!original.local) return storeReblogOfRemote(app, activity, reblog);
  if (await admitInteraction(app, actor, received)) await storeRemoteReblog(app, reblog);
}

/** A self-reblog may embed the post, because only followers could fetch it. */
async function storeSelfReblogged(app: App, actor: AccountRow, object: unknown): Promise<FederatedStatus | undefined> {
  const uri = idOf(object);
  const isOwn = isObject(object) && isNote(object) && isSameHost(uri, actor.uri) && authorOf(object) === actor.uri;
  if (uri === undefined || !isOwn || (await hasTombstone(app, actor.uri, uri))) return undefined;
  if (!(await isFollowedLocally(app, [actor.id]))) return undefined;
  await storeNote(app, parseNote(object));
  return findStatusByUri(app, uri);
}

/**
 * Returns the id of the announced post, directly or in an announced Create or Update. Other announced activities, such
 * as votes, are ignored.
 */
function announcedUri(object: unknown): string | undefined {
  if (!isObject(object) || isNote(object)) return idOf(object);
  return wrapperTypes.has(typeOf(object)) ? idOf(object['object']) : undefined;
}

/** Whether a group announces the Create or Update of a reply. */
function isWrappedReply(object: unknown): boolean {
  if (!isObject(object) || !wrapperTypes.has(typeOf(object))) return false;
  const post = object['object'];
  return isObject(post) && idOf(post['inReplyTo']) !== undefined;
}

async function findOrFetchStatus(
  app: App,
  uri: string,
  actorId: FederatedStatus['account_id'],
): Promise<FederatedStatus | undefined> {
  const existing = await findStatusByUri(app, uri);
  if (existing !== undefined || !(await isFollowedLocally(app, [actorId]))) return existing;
  return (await resolveStatus(app, uri)) === undefined ? undefined : findStatusByUri(app, uri);
}

/**
 * Stores a reblog of a remote status if its author permits it. If that cannot be known, the Announce needs an
 * authorization, which is stored, because the author may revoke it.
 */
async function storeReblogOfRemote(app: App, activity: Json, reblog: RemoteReblog): Promise<void> {
  const { accountId, reblogOfId, uri, visibility } = reblog;
  const status = (await loadCachedStatuses(app, [reblogOfId])).get(reblogOfId);
  if (status === undefined || !needsProof(status, accountId, 'reblog')) {
    await storeRemoteReblog(app, reblog);
    return;
  }
  const authorization = await fetchAuthorization(app, status, {
    kind: 'reblog',
    object: activity,
    post: { accountId, visibility, mentionedIds: [] },
  });
  if (authorization === undefined || (await storeRemoteReblog(app, reblog)) === undefined) return;
  const proven = { kind: 'reblog', accountId, uri, visibility, authorizationUri: authorization.uri } as const;
  await holdReaction(app, status, proven, 'accepted');
  await revokeIfDeleted(app, authorization.author, authorization.uri);
}

async function canReblogRemotely(app: App, original: FederatedStatus): Promise<boolean> {
  const author = (await loadCachedAccounts(app, [original.account_id])).get(original.account_id);
  return author?.suspended === false && original.reblog_of_id === null && isPublicOrUnlisted(original.visibility);
}
