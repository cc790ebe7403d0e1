import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import { actorUrls } from '../../accounts/index.ts';
import {
  findGroupsOfPost,
  groupPostAccepted,
  groupPostRemoved,
  loadGroupNames,
  peekHasGroups,
  takeActivity,
  type AnnouncedPost,
} from '../../groups/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { statusDeleted, statusEdited } from '../../statuses/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { create, deleteNote, isoTimestamp, undo, updateNote } from '../documents/activities.ts';
import { noteContext, publicCollection } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { isObject, type Json } from '../documents/values.ts';
import { followerInboxes, groupServerInboxes } from './inboxes.ts';
import { onLocal } from './on-local.ts';
import { storeActivity } from './store-activity.ts';

/** A post of a group whose activity is announced. */
interface GroupActivity extends AnnouncedPost {
  /** Activities with the same key reach an inbox in order. */
  readonly orderKey: string;
}

/**
 * Announces the Create of a post that a group boosted, after the boost and to the same followers: Lemmy and NodeBB read
 * only this (FEP-1b12), and others know the boost already. Does nothing for accounts that are no groups.
 */
export async function announceGroupPost(app: App, post: GroupActivity): Promise<void> {
  await announceCreate(app, post, (db) => followerInboxes(db, post.groupId));
}

async function announceCreate(
  app: App,
  { groupId, statusId, orderKey }: GroupActivity,
  inboxesOf: (db: App['db']) => Promise<string[]>,
): Promise<void> {
  if ((await loadGroupNames(app)).size === 0) return;
  const group = await findAccount(app, groupId);
  if (group?.actor_type !== 'Group') return;
  const status = await findPost(app, statusId);
  const note = status?.local === true ? (await noteDocuments(app, [statusId])).get(statusId) : undefined;
  await transaction(app, async (tx) => {
    const post = await takeActivity(tx, { groupId, statusId });
    if (post === undefined || status === undefined) return;
    const received: unknown = post.activity === null ? undefined : JSON.parse(post.activity);
    const object = note === undefined ? received : create(note);
    if (!isObject(object)) return;
    const inboxes = await inboxesOf(tx.db);
    await storeAnnounce(tx, app, group, { groupId, statusId, orderKey, kind: 'create', object, inboxes });
  });
}

async function findPost(app: App, statusId: StatusId) {
  const status = await app.db
    .selectFrom('statuses')
    .select(['uri', 'local', 'visibility'])
    .where('id', '=', statusId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return status !== undefined && isPublicOrUnlisted(status.visibility) ? status : undefined;
}

interface NewAnnounce extends GroupActivity {
  /** Makes the id unique. */
  readonly kind: string;
  readonly object: Json;
  readonly inboxes: readonly string[];
}

async function storeAnnounce(
  tx: Transaction,
  app: App,
  group: AccountRow,
  { groupId, statusId, orderKey, kind, object, inboxes }: NewAnnounce,
): Promise<void> {
  const activity = { ...announceOf(app, group, `${statusId}/${kind}`), object };
  const published = isoTimestamp(app.clock.now());
  await storeActivity(tx, app, {
    senderId: groupId,
    activity: { ...activity, published },
    context: noteContext,
    inboxes,
    orderKey,
  });
}

/** Returns the Announce of an activity by a group, without its object. */
function announceOf(app: App, { uri }: { uri: string }, id: string): Json {
  const { followers } = actorUrls(app, uri);
  const audience = { to: [publicCollection], cc: [followers], audience: uri };
  return { id: `${uri}#announces/${id}`, type: 'Announce', actor: uri, ...audience };
}

/** Undoes `announceGroupPost`, for servers that took it for a boost. */
export async function undoGroupPost(
  tx: Transaction,
  app: App,
  { groupId, statusId, orderKey }: GroupActivity,
): Promise<void> {
  if (peekHasGroups(app) === false) return;
  const known = await tx.db
    .selectFrom('group_posts')
    .innerJoin('statuses', 'statuses.id', 'group_posts.status_id')
    .innerJoin('accounts', 'accounts.id', 'group_posts.group_id')
    .select(['statuses.uri as object', 'accounts.uri'])
    .where('group_posts.group_id', '=', groupId)
    .where('group_posts.status_id', '=', statusId)
    .executeTakeFirst();
  if (known === undefined) return;
  const { to, cc, ...announce } = announceOf(app, known, `${statusId}/create`);
  await storeActivity(tx, app, {
    senderId: groupId,
    activity: { ...undo(known.uri, { ...announce, object: known.object }), to, cc },
    context: noteContext,
    inboxes: await followerInboxes(tx.db, groupId),
    orderKey,
  });
}

/** Announces the Create of a reply in a thread of a group to servers that have groups. */
async function announceReply(
  app: App,
  { groupId, statusId, reply }: AnnouncedPost & { readonly reply: boolean },
): Promise<void> {
  const status = reply ? await findPost(app, statusId) : undefined;
  if (status === undefined) return;
  await announceCreate(app, { groupId, statusId, orderKey: status.uri }, (db) => groupServerInboxes(db, groupId));
}

/** Announces a later activity about accepted posts to servers that have groups. */
export async function announceChange(
  app: App,
  posts: readonly AnnouncedPost[],
  { uri, kind, object }: { readonly uri: string; readonly kind: string; readonly object: Json },
): Promise<void> {
  for (const post of posts) {
    const group = await findAccount(app, post.groupId);
    if (group === undefined) continue;
    await transaction(app, async (tx) => {
      const inboxes = await groupServerInboxes(tx.db, post.groupId);
      await storeAnnounce(tx, app, group, { ...post, orderKey: uri, kind, object, inboxes });
    });
  }
}

interface StatusEvent {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

async function announceEdit(app: App, { statusId, accountId }: StatusEvent): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  const [uri, now] = [String(note['id']), app.clock.now()];
  const object = updateNote(note, now);
  await announceChange(app, await findGroupsOfPost(app, uri, accountId), {
    uri,
    kind: `update/${now.getTime()}`,
    object,
  });
}

async function announceDeletion(app: App, { statusId, accountId }: StatusEvent): Promise<void> {
  const [author, status] = await Promise.all([findAccount(app, accountId), findUri(app, statusId)]);
  if (author === undefined || status === undefined) return;
  const { uri } = status;
  const posts = await findGroupsOfPost(app, uri, accountId);
  await announceChange(app, posts, { uri, kind: 'delete', object: deleteNote(author.uri, uri) });
}

const findUri = (app: App, statusId: StatusId): Promise<{ uri: string } | undefined> =>
  app.db.selectFrom('statuses').select('uri').where('id', '=', statusId).executeTakeFirst();

/** Lemmy and NodeBB know the removal of a post from a group as its deletion by a moderator. */
async function announceRemoval(
  app: App,
  { groupId, statusId, accountId }: AnnouncedPost & { readonly accountId: AccountId },
): Promise<void> {
  const [moderator, status] = await Promise.all([findAccount(app, accountId), findUri(app, statusId)]);
  if (moderator === undefined || status === undefined) return;
  const { uri } = status;
  const id = `${moderator.uri}#removes/${groupId}/${statusId}`;
  const object = { ...deleteNote(moderator.uri, uri), id, object: uri };
  await announceChange(app, [{ groupId, statusId }], { uri, kind: 'remove', object });
}

/** Only posts of groups need a job. */
async function filterGroupPosts<Event extends StatusEvent>(
  tx: Transaction,
  app: App,
  events: readonly Event[],
): Promise<readonly Event[]> {
  if (peekHasGroups(app) === false) return [];
  const rows = await tx.db
    .selectFrom('group_posts')
    .select('status_id')
    .where(
      'status_id',
      'in',
      events.map(({ statusId }) => statusId),
    )
    .where('state', '=', 'accepted')
    .execute();
  const ids = new Set(rows.map(({ status_id: id }) => id));
  return events.filter(({ statusId }) => ids.has(statusId));
}

export const groupDeliveries: readonly Subscription[] = [
  later('default', [groupPostAccepted], { name: 'group.announce_reply', run: announceReply }),
  later('default', [groupPostRemoved], { name: 'group.announce_removal', run: announceRemoval }),
  ...onLocal([statusEdited], { name: 'group.announce_edit', run: announceEdit, filter: filterGroupPosts }),
  ...onLocal([statusDeleted], { name: 'group.announce_deletion', run: announceDeletion, filter: filterGroupPosts }),
];
