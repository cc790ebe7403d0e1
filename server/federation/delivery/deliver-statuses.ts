import { sql } from 'kysely';
import { actorUrls, findAccount } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write, type Write } from '../../platform/database/write.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Subscription } from '../../platform/jobs/events.ts';
import { pollEnded, pollTallied } from '../../polls/index.ts';
import {
  mentionsAdded,
  reblogUri,
  statusDeleted,
  statusEdited,
  statusPosted,
  statusReblogged,
  statusUnreblogged,
  statusUri,
  type Visibility,
} from '../../statuses/index.ts';
import { audienceOf, create, deleteNote, undo, updateNote } from '../documents/activities.ts';
import { announceDocuments } from '../documents/announce-documents.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import type { Json } from '../documents/values.ts';
import { leaveTombstone } from '../tombstones.ts';
import { accountInboxes, followerInboxes, involvedInboxes, mentionedInboxes, voterInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { whenLocal } from './when-local.ts';

interface StatusFacts {
  readonly account_id: AccountId;
  readonly uri: string;
  readonly visibility: Visibility;
  readonly in_reply_to_account_id: AccountId | null;
  readonly deleted_at: Date | null;
}

/**
 * The row of a local status, kept from being deleted meanwhile: its Delete is then stored after what is stored here.
 */
function lockStatus({ db }: Write, id: StatusId): Promise<StatusFacts | undefined> {
  return db
    .selectFrom('statuses')
    .select(['account_id', 'uri', 'visibility', 'in_reply_to_account_id', 'deleted_at'])
    .where('id', '=', id)
    .where('local', '=', true)
    .forShare()
    .executeTakeFirst();
}

interface Posted {
  readonly statusId: StatusId;
}

/** Those where somebody elsewhere follows the author, is named or is answered: most posts need no delivery. */
async function reachingOthers({ db }: Write, posted: readonly Posted[]): Promise<Posted[]> {
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from statuses s join account_stats stats on stats.account_id = s.account_id
    where s.id = any(${posted.map(({ statusId }) => statusId)}::bigint[]) and (
      (s.visibility <> 'direct' and stats.followers_count > stats.local_followers_count)
      or exists (select 1 from accounts a where a.id = s.in_reply_to_account_id and a.domain is not null)
      or exists (
        select 1 from mentions m join accounts a on a.id = m.account_id
        where m.status_id = s.id and a.domain is not null))`.execute(db);
  const reaching = new Set(rows.map(({ id }) => id));
  return posted.filter(({ statusId }) => reaching.has(statusId));
}

/** Sends a new local post to the servers of the followers, of whom it names and of whom it answers. */
async function deliverPost(app: App, { statusId }: { statusId: StatusId }): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    await storeCreate(write, app, { status, note, inboxes: await postInboxes(write, statusId, status) });
  });
}

/** Sends a post to those who were found to be named in it after it was posted. */
async function deliverToMentioned(
  app: App,
  { statusId, mentionedIds }: { statusId: StatusId; mentionedIds: AccountId[] },
): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    await storeCreate(write, app, { status, note, inboxes: await accountInboxes(write.db, mentionedIds) });
  });
}

function storeCreate(
  write: Write,
  app: App,
  { status, note, inboxes }: { status: StatusFacts; note: Json; inboxes: string[] },
): Promise<void> {
  return storeActivity(write, app, {
    senderId: status.account_id,
    activity: create(note),
    context: noteContext,
    inboxes,
    orderKey: status.uri,
    tellsFollowers: status.visibility === 'private',
  });
}

async function postInboxes({ db }: Write, id: StatusId, status: StatusFacts): Promise<string[]> {
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted';
  return [
    ...(await mentionedInboxes(db, id)),
    ...(status.visibility === 'direct' ? [] : await followerInboxes(db, status.account_id)),
    ...(isOpen && status.in_reply_to_account_id !== null
      ? await accountInboxes(db, [status.in_reply_to_account_id])
      : []),
  ];
}

/** Tells the servers that may hold a copy of a local post what it is now: it was edited, or its poll has new counts. */
export async function deliverUpdate(app: App, { statusId }: { statusId: StatusId }): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    const isOpen = status.visibility === 'public' || status.visibility === 'unlisted';
    await storeActivity(write, app, {
      senderId: status.account_id,
      activity: updateNote(note, app.clock.now()),
      context: noteContext,
      inboxes: [
        ...(await postInboxes(write, statusId, status)),
        ...(await voterInboxes(write.db, statusId)),
        ...(isOpen ? await involvedInboxes(write.db, statusId) : []),
      ],
      orderKey: status.uri,
      tellsFollowers: status.visibility === 'private',
    });
  });
}

/** Tells the servers that may hold a copy of a local post that it is gone, and remembers so for those who ask. */
async function deliverDelete(
  app: App,
  { statusId, accountId }: { statusId: StatusId; accountId: AccountId },
): Promise<void> {
  const author = await findAccount(app, accountId);
  if (author === undefined || author.domain !== null) return;
  const uri = statusUri(app, author.username, statusId);
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    const visibility = status?.visibility ?? 'public';
    const isOpen = visibility === 'public' || visibility === 'unlisted';
    if (isOpen) await leaveTombstone(write, app, uri);
    const inboxes = [
      ...(status === undefined ? [] : await postInboxes(write, statusId, status)),
      ...(status === undefined ? await followerInboxes(write.db, accountId) : []),
      ...(isOpen ? await involvedInboxes(write.db, statusId) : []),
    ];
    await storeActivity(write, app, {
      senderId: accountId,
      activity: deleteNote(author.uri, uri),
      context: noteContext,
      inboxes,
      orderKey: uri,
    });
  });
}

async function deliverReblog(app: App, { statusId }: { statusId: StatusId }): Promise<void> {
  const activity = (await announceDocuments(app, [statusId])).get(statusId);
  if (activity === undefined) return;
  await write(app, async (write) => {
    const reblog = await lockStatus(write, statusId);
    if (reblog === undefined || reblog.deleted_at !== null) return;
    const inboxes = await reblogInboxes(write, reblog.account_id, statusId);
    await storeActivity(write, app, {
      senderId: reblog.account_id,
      activity,
      context: noteContext,
      inboxes,
      orderKey: reblog.uri,
      tellsFollowers: reblog.visibility === 'private',
    });
  });
}

async function deliverUnreblog(
  app: App,
  data: { statusId: StatusId; reblogOfId: StatusId; accountId: AccountId },
): Promise<void> {
  const { statusId, reblogOfId, accountId } = data;
  const actor = await findAccount(app, accountId);
  if (actor === undefined || actor.domain !== null) return;
  await write(app, async (write) => {
    const original = await write.db
      .selectFrom('statuses')
      .select(['uri', 'account_id'])
      .where('id', '=', reblogOfId)
      .executeTakeFirst();
    if (original === undefined) return;
    const reblog = await lockStatus(write, statusId);
    const audience = audienceOf(reblog?.visibility ?? 'public', actorUrls(app, actor.username).followers, []);
    const id = reblogUri(app, actor.username, statusId);
    const announce = { id, type: 'Announce', actor: actor.uri, ...audience, object: original.uri };
    await storeActivity(write, app, {
      senderId: accountId,
      activity: undo(actor.uri, announce, `${actor.uri}#announces/${statusId}/undo`, audience),
      context: noteContext,
      inboxes: [
        ...(await followerInboxes(write.db, accountId)),
        ...(await accountInboxes(write.db, [original.account_id])),
      ],
      orderKey: id,
    });
  });
}

async function reblogInboxes({ db }: Write, accountId: AccountId, statusId: StatusId): Promise<string[]> {
  const original = await db
    .selectFrom('statuses as reblog')
    .innerJoin('statuses as original', 'original.id', 'reblog.reblog_of_id')
    .select('original.account_id')
    .where('reblog.id', '=', statusId)
    .executeTakeFirst();
  return [...(await followerInboxes(db, accountId)), ...(await accountInboxes(db, [original?.account_id ?? null]))];
}

export const statusDeliveries: readonly Subscription[] = [
  ...whenLocal(statusPosted, 'deliver-post', deliverPost, reachingOthers),
  ...whenLocal(mentionsAdded, 'deliver-to-mentioned', deliverToMentioned),
  ...whenLocal(statusEdited, 'deliver-edit', deliverUpdate),
  ...whenLocal(pollTallied, 'deliver-tally', deliverUpdate),
  ...whenLocal(pollEnded, 'deliver-poll-end', deliverUpdate),
  ...whenLocal(statusDeleted, 'deliver-delete', deliverDelete),
  ...whenLocal(statusReblogged, 'deliver-reblog', deliverReblog),
  ...whenLocal(statusUnreblogged, 'deliver-unreblog', deliverUnreblog),
];
