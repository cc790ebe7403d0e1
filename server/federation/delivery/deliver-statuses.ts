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
import { leaveTombstone } from '../tombstones.ts';
import { accountInboxes, followerInboxes, involvedInboxes, mentionedInboxes, voterInboxes } from './inboxes.ts';
import { isForOthers, signForOthers, type Contextual } from './sign-for-others.ts';
import { storeActivity } from './store-activity.ts';
import { whenLocal } from './when-local.ts';

type Db = App['db'];

interface StatusOf {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

interface StatusFacts {
  readonly account_id: AccountId;
  readonly uri: string;
  readonly visibility: Visibility;
  readonly in_reply_to_account_id: AccountId | null;
  readonly deleted_at: Date | null;
}

/** The row of a local status, kept from being deleted meanwhile: its Delete is then stored after what is stored here. */
function lockStatus({ db }: Write, id: StatusId): Promise<StatusFacts | undefined> {
  return statusQuery(db, id).forShare().executeTakeFirst();
}

function findStatus(db: Db, id: StatusId): Promise<StatusFacts | undefined> {
  return statusQuery(db, id).executeTakeFirst();
}

const statusQuery = (db: Db, id: StatusId) =>
  db
    .selectFrom('statuses')
    .select(['account_id', 'uri', 'visibility', 'in_reply_to_account_id', 'deleted_at'])
    .where('id', '=', id)
    .where('local', '=', true);

/** Those where somebody elsewhere follows the author, is named or is answered: most posts need no delivery. */
async function reachingOthers({ db }: Write, posted: readonly StatusOf[]): Promise<StatusOf[]> {
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
async function deliverPost(app: App, { statusId, accountId }: StatusOf): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  const signed = await signForOthers(app, accountId, { activity: create(note), context: noteContext });
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    await storeCreate(write, app, { status, signed, inboxes: await postInboxes(write.db, statusId, status) });
  });
}

/** Sends a post to those who were found to be named in it after it was posted. */
async function deliverToMentioned(
  app: App,
  { statusId, accountId, mentionedIds }: StatusOf & { mentionedIds: AccountId[] },
): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  const signed = await signForOthers(app, accountId, { activity: create(note), context: noteContext });
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    await storeCreate(write, app, { status, signed, inboxes: await accountInboxes(write.db, mentionedIds) });
  });
}

function storeCreate(
  write: Write,
  app: App,
  { status, signed, inboxes }: { status: StatusFacts; signed: Contextual; inboxes: string[] },
): Promise<void> {
  return storeActivity(write, app, {
    senderId: status.account_id,
    ...signed,
    inboxes,
    orderKey: status.uri,
    tellsFollowers: status.visibility === 'private',
  });
}

const isOpen = ({ visibility }: StatusFacts): boolean => visibility === 'public' || visibility === 'unlisted';

async function postInboxes(db: Db, id: StatusId, status: StatusFacts): Promise<string[]> {
  return [
    ...(await mentionedInboxes(db, id)),
    ...(status.visibility === 'direct' ? [] : await followerInboxes(db, status.account_id)),
    ...(isOpen(status) && status.in_reply_to_account_id !== null
      ? await accountInboxes(db, [status.in_reply_to_account_id])
      : []),
  ];
}

/** Tells the servers that may hold a copy of a local post what it is now: it was edited, or its poll has new counts. */
export async function deliverUpdate(app: App, { statusId, accountId }: StatusOf): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  const update = { activity: updateNote(note, app.clock.now()), context: noteContext };
  const reachesNobody = async () => (await updateInboxes(app.db, statusId)).length === 0;
  if (isForOthers(app, update) && (await reachesNobody())) return;
  const signed = await signForOthers(app, accountId, update);
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    await storeActivity(write, app, {
      senderId: status.account_id,
      ...signed,
      inboxes: await updateInboxes(write.db, statusId),
      orderKey: status.uri,
      tellsFollowers: status.visibility === 'private',
    });
  });
}

async function updateInboxes(db: Db, statusId: StatusId): Promise<string[]> {
  const status = await findStatus(db, statusId);
  if (status === undefined) return [];
  return [
    ...(await postInboxes(db, statusId, status)),
    ...(await voterInboxes(db, statusId)),
    ...(isOpen(status) ? await involvedInboxes(db, statusId) : []),
  ];
}

/** Tells the servers that may hold a copy of a local post that it is gone, and remembers so for those who ask. */
async function deliverDelete(app: App, { statusId, accountId }: StatusOf): Promise<void> {
  const author = await findAccount(app, accountId);
  if (author === undefined || author.domain !== null) return;
  const uri = statusUri(app, author.username, statusId);
  const end = { activity: deleteNote(author.uri, uri), context: noteContext };
  const status = await findStatus(app.db, statusId);
  const open = status === undefined || isOpen(status);
  const inboxes = await deleteInboxes(app.db, { statusId, accountId }, status);
  // It names no more than an address, but that of a post for few is not for everybody either.
  const signed = open && inboxes.length > 0 ? await signForOthers(app, accountId, end) : end;
  await write(app, async (write) => {
    if (open) await leaveTombstone(write, app, uri);
    await storeActivity(write, app, { senderId: accountId, ...signed, inboxes, orderKey: uri });
  });
}

async function deleteInboxes(
  db: Db,
  { statusId, accountId }: StatusOf,
  status: StatusFacts | undefined,
): Promise<string[]> {
  return [
    ...(status === undefined ? await followerInboxes(db, accountId) : await postInboxes(db, statusId, status)),
    ...(status === undefined || isOpen(status) ? await involvedInboxes(db, statusId) : []),
  ];
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
