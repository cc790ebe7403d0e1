import type { Subscription } from '../../platform/events/reactions.ts';
import { sql } from 'kysely';
import { findAccount } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write, type Write } from '../../platform/database/write.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { pollEnded, pollTallied } from '../../polls/index.ts';
import {
  isForEverybody,
  mentionsAdded,
  statusDeleted,
  statusEdited,
  statusPosted,
  statusUri,
} from '../../statuses/index.ts';
import { create, deleteNote, updateNote } from '../documents/activities.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { leaveTombstone } from '../tombstones.ts';
import { accountInboxes, followerInboxes, involvedInboxes, mentionedInboxes, voterInboxes } from './inboxes.ts';
import { isForOthers, signForOthers } from './sign-for-others.ts';
import { storeActivity } from './store-activity.ts';
import { findStatus, storeNews, type InboxesOf, type StatusFacts } from './store-news.ts';
import { whenLocal } from './when-local.ts';

type Db = App['db'];

interface StatusOf {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

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
function deliverPost(app: App, posted: StatusOf): Promise<void> {
  return deliverCreate(app, posted, (db, status) => postInboxes(db, posted.statusId, status));
}

/** Sends a post to those who were found to be named in it after it was posted. */
function deliverToMentioned(app: App, named: StatusOf & { mentionedIds: AccountId[] }): Promise<void> {
  return deliverCreate(app, named, (db) => accountInboxes(db, named.mentionedIds));
}

async function deliverCreate(app: App, { statusId, accountId }: StatusOf, inboxesOf: InboxesOf): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  const signed = await signForOthers(app, accountId, { activity: create(note), context: noteContext });
  await storeNews(app, statusId, signed, inboxesOf);
}

const isOpen = ({ visibility }: StatusFacts): boolean => isForEverybody(visibility);

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
  const inboxesOf: InboxesOf = (db, status) => updateInboxes(db, statusId, status);
  if (isForOthers(app, update) && (await reachesNobody(app, statusId, inboxesOf))) return;
  await storeNews(app, statusId, await signForOthers(app, accountId, update), inboxesOf);
}

/** A signature that nobody would get is not made. */
async function reachesNobody(app: App, statusId: StatusId, inboxesOf: InboxesOf): Promise<boolean> {
  const status = await findStatus(app.db, statusId);
  return status === undefined || (await inboxesOf(app.db, status)).length === 0;
}

async function updateInboxes(db: Db, statusId: StatusId, status: StatusFacts): Promise<string[]> {
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

export const statusDeliveries: readonly Subscription[] = [
  ...whenLocal(statusPosted, 'deliver-post', deliverPost, reachingOthers),
  ...whenLocal(mentionsAdded, 'deliver-to-mentioned', deliverToMentioned),
  ...whenLocal(statusEdited, 'deliver-edit', deliverUpdate),
  ...whenLocal(pollTallied, 'deliver-tally', deliverUpdate),
  ...whenLocal(pollEnded, 'deliver-poll-end', deliverUpdate),
  ...whenLocal(statusDeleted, 'deliver-delete', deliverDelete),
];
