import type { Subscription } from '../../platform/write/subscriptions.ts';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { pollEnded, pollUpdated } from '../../polls/index.ts';
import { isPublicOrUnlisted, staysHere, visibilityToOthers } from '../../statuses/visibility/index.ts';
import { statusDetached } from '../../statuses/approval/index.ts';
import { mentionsAdded, quotePolicyChanged, statusCreated, statusDeleted, statusEdited } from '../../statuses/index.ts';
import { statusUri } from '../../statuses/post/index.ts';
import { create, deleteNote, updateNote } from '../documents/activities.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { storeTombstoneOfPost } from '../tombstones.ts';
import { accountInboxes, followerInboxes, interactionInboxes, mentionedInboxes, voterInboxes } from './inboxes.ts';
import { isForwardable, signForForwarding } from './sign-for-forwarding.ts';
import { storeActivity } from './store-activity.ts';
import { findLocalStatus, storeStatusActivity, type InboxQuery, type LocalStatusRow } from './store-status-activity.ts';
import { announceToRelays, hasRelays, listRelayInboxes } from './deliver-to-relays.ts';
import { onLocal } from './on-local.ts';
import { filterWithRemoteRecipients, loadReachOfAuthors } from './remote-recipients.ts';

type Db = App['db'];

interface StatusEvent {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/**
 * Sends a new local post to the servers of the followers, of mentioned accounts and of the author of its parent, and to
 * relays.
 */
async function deliverNewStatus(app: App, event: StatusEvent): Promise<void> {
  const relays = await listRelayInboxes(app, 'mastodon');
  await deliverCreate(app, event, async (db, status) => [
    ...(await statusInboxes(db, event.statusId, status)),
    ...(isRelayed(status) ? relays : []),
  ]);
  await announceToRelays(app, event.statusId);
}

/** Sends a post to accounts whose mentions were resolved after it was posted. */
function deliverToMentioned(app: App, event: StatusEvent & { mentionedIds: AccountId[] }): Promise<void> {
  return deliverCreate(app, event, (db, status) => accountInboxes(db, event.mentionedIds, listenersTo(status)));
}

async function deliverCreate(app: App, { statusId, accountId }: StatusEvent, inboxesOf: InboxQuery): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  const activity = { activity: create(note), context: noteContext };
  const signed = await signForForwarding(app, accountId, activity, await hasRelays(app));
  await storeStatusActivity(app, statusId, signed, inboxesOf);
}

const isPublicStatus = ({ visibility }: LocalStatusRow): boolean => isPublicOrUnlisted(visibility);

/** Relays receive only what others see as public. */
const isRelayed = ({ visibility, author_silenced: silenced }: LocalStatusRow): boolean =>
  visibilityToOthers(visibility, { silenced }) === 'public';

/** Silenced authors reach only those mentioned accounts that follow them. */
const listenersTo = ({ account_id: id, author_silenced: silenced }: LocalStatusRow): { followersOf?: AccountId } =>
  silenced ? { followersOf: id } : {};

async function statusInboxes(
  db: Db,
  id: StatusId,
  status: LocalStatusRow,
  options = listenersTo(status),
): Promise<string[]> {
  return [
    ...(await mentionedInboxes(db, id, options)),
    ...(status.visibility === 'direct' ? [] : await followerInboxes(db, status.account_id)),
    ...(isPublicStatus(status) && status.in_reply_to_account_id !== null
      ? await accountInboxes(db, [status.in_reply_to_account_id], options)
      : []),
  ];
}

/** Sends the current version of a local post to the servers that may have a copy, after an edit or new poll results. */
export async function deliverUpdate(app: App, { statusId, accountId }: StatusEvent): Promise<void> {
  const note = (await noteDocuments(app, [statusId])).get(statusId);
  if (note === undefined) return;
  const update = { activity: updateNote(note, app.clock.now()), context: noteContext };
  const relays = await listRelayInboxes(app);
  const inboxesOf: InboxQuery = async (db, status) => [
    ...(await updateInboxes(db, statusId, status)),
    ...(isRelayed(status) ? relays : []),
  ];
  const hasRelay = relays.length > 0;
  if (isForwardable(app, update, hasRelay) && (await hasNoInboxes(app, statusId, inboxesOf))) return;
  await storeStatusActivity(app, statusId, await signForForwarding(app, accountId, update, hasRelay), inboxesOf);
}

/** Avoids a signature for an activity without recipients. */
async function hasNoInboxes(app: App, statusId: StatusId, inboxesOf: InboxQuery): Promise<boolean> {
  const status = await findLocalStatus(app.db, statusId);
  return status === undefined || (await inboxesOf(app.db, status)).length === 0;
}

async function updateInboxes(db: Db, statusId: StatusId, status: LocalStatusRow): Promise<string[]> {
  return [
    ...(await statusInboxes(db, statusId, status)),
    ...(await voterInboxes(db, statusId)),
    ...(isPublicStatus(status) ? await interactionInboxes(db, statusId) : []),
  ];
}

/**
 * Sends the deletion of a local post to the servers that may have a copy, and stores a tombstone for later requests.
 */
async function deliverDelete(app: App, event: StatusEvent & { readonly uri?: string | undefined }): Promise<void> {
  const { statusId, accountId } = event;
  const author = await findAccount(app, accountId);
  if (author === undefined || author.domain !== null) return;
  const status = await findLocalStatus(app.db, statusId);
  const uri = event.uri ?? status?.uri;
  if (uri === undefined) return;
  const deletion = { activity: deleteNote(author.uri, uri), context: noteContext };
  if (status !== undefined && staysHere(status.visibility)) return;
  const isPublic = status === undefined || isPublicStatus(status);
  const inboxes = [
    ...(await deleteInboxes(app.db, { statusId, accountId }, status)),
    ...(status === undefined || status.visibility === 'public' ? await listRelayInboxes(app) : []),
  ];
  // The Delete has only a URI, but even the URI of a private post is not public.
  const signed = isPublic && inboxes.length > 0 ? await signForForwarding(app, accountId, deletion) : deletion;
  await transaction(app, async (tx) => {
    if (isPublic) await storeTombstoneOfPost(tx, app, uri, statusUri(author.uri, statusId));
    await storeActivity(tx, app, { senderId: accountId, ...signed, inboxes, orderKey: uri });
  });
}

async function deleteInboxes(
  db: Db,
  { statusId, accountId }: StatusEvent,
  status: LocalStatusRow | undefined,
): Promise<string[]> {
  return [
    // All that may have a copy from before the author was silenced.
    ...(status === undefined ? await followerInboxes(db, accountId) : await statusInboxes(db, statusId, status, {})),
    ...(status === undefined || isPublicStatus(status) ? await interactionInboxes(db, statusId) : []),
  ];
}

export const statusDeliveries: readonly Subscription[] = [
  ...onLocal([statusCreated], {
    name: 'status.deliver_create',
    run: deliverNewStatus,
    filter: filterWithRemoteRecipients,
    locks: 'nothing',
    // The deliveries of a thread are stored in the order of its posts.
    jobKey: ({ threadId }) => (threadId === undefined ? undefined : `thread ${threadId}`),
  }),
  loadReachOfAuthors,
  ...onLocal([mentionsAdded], { name: 'status.deliver_to_mentioned', run: deliverToMentioned }),
  ...onLocal([statusEdited, statusDetached, quotePolicyChanged, pollUpdated, pollEnded], {
    name: 'status.deliver_update',
    run: deliverUpdate,
  }),
  ...onLocal([statusDeleted], { name: 'status.deliver_delete', run: deliverDelete }),
];
