import { findAccountByUri, type AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { addRecipient } from '../../statuses/post/index.ts';
import { publishBackfilled } from '../../statuses/remote/index.ts';
import { isPollOption, recordRemoteVote } from '../../statuses/poll/index.ts';
import { authorOf, isNote, parseNote } from '../documents/parse-note.ts';
import { idOf, isObject, isSameHost, textOf, typesOf, type Json } from '../documents/values.ts';
import { findKnownObject, findStatusByUri, type FoundStatus } from '../find-status-by-uri.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { storeNote } from '../fetch/store-note.ts';
import { admitInteraction } from './admit-interaction.ts';
import { isUnaddressed } from './activity-key.ts';
import { isRelevant } from './relevance.ts';
import type { ReceivedActivity } from './received-activity.ts';

/**
 * Stores a new post. Uses the embedded object if it belongs to the actor and the actor's server, otherwise fetches it
 * from its origin. Ignores posts that concern no local account, unless they arrive in a personal inbox. Counts votes
 * instead of storing them.
 */
export async function receiveCreate(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor, inboxAccountId, requestUri } = received;
  const { object } = activity;
  const uri = idOf(object);
  if (uri === undefined) return;
  const { status: existing, isDeleted } = await findKnownObject(app, actor.uri, uri);
  if (existing !== undefined) {
    if (existing.backfilled && existing.account_id === actor.id) await publishBackfilled(app, existing.id);
    const isToOwner = existing.account_id === actor.id && inboxAccountId !== null && isUnaddressed(activity);
    return isToOwner ? addRecipient(app, existing.id, inboxAccountId) : undefined;
  }
  if (isDeleted) return;
  const isAuthentic =
    isObject(object) && isNote(object) && isSameHost(uri, actor.uri) && authorOf(object) === actor.uri;
  const parent = isObject(object) ? await findParent(app, object) : undefined;
  if (isAuthentic && (await tryReceiveVote(app, actor.id, object, parent))) return;
  if (isObject(object) && !(await admitReply(app, received, object, parent))) return;
  await storeRelevantNote(app, isAuthentic ? object : await fetchObject(app, uri), {
    recipientId: inboxAccountId,
    requestUri,
    actor,
    isUndeleted: isAuthentic,
    ...(isAuthentic && { parent }),
  });
}

async function findParent(app: App, object: Json): Promise<FoundStatus | undefined> {
  const uri = idOf(object['inReplyTo']);
  const status = uri === undefined ? undefined : await findStatusByUri(app, uri);
  return uri === undefined || status === undefined ? undefined : { uri, status };
}

/** Returns false and rejects a reply if the local author of its parent does not permit it. */
async function admitReply(
  app: App,
  { actor, requestUri }: ReceivedActivity,
  object: Json,
  parent: FoundStatus | undefined,
): Promise<boolean> {
  if (parent?.status.local !== true || authorOf(object) !== actor.uri) return true;
  const { id: statusId } = parent.status;
  return admitInteraction(app, actor, { interaction: 'reply', statusId, uri: idOf(object), requestUri });
}

interface Arrival {
  /** The owner of the personal inbox; null for the shared inbox. */
  readonly recipientId: AccountId | null;
  /** Id of the ReplyRequest that contained the post. */
  readonly requestUri?: string | undefined;
  /** Its sender. */
  readonly actor?: AccountRow;
  /** Its author had not deleted it a moment ago. */
  readonly isUndeleted?: boolean;
  /** What it replies to. */
  readonly parent?: FoundStatus | undefined;
}

/** Stores a post from its origin if it concerns a local account, or arrived in a personal inbox. */
export async function storeRelevantNote(
  app: App,
  object: Json,
  { recipientId, requestUri, actor, isUndeleted, parent }: Arrival = { recipientId: null },
): Promise<void> {
  if (!isNote(object) || looksLikeVote(object)) return;
  const note = parseNote(object);
  const author = actor?.uri === note.attributedTo ? actor : await findAccountByUri(app, note.attributedTo);
  if (recipientId === null && !(await isRelevant(app, note, { authorId: author?.id, parent }))) return;
  const delivered = { ...note, requestUri, ...(recipientId !== null && { recipientId }) };
  await storeNote(app, delivered, { author, isUndeleted, parent });
}

/**
 * Counts a vote in a local poll: a Note whose name is an option of the poll that it replies to. Also returns true for
 * invalid votes and votes in unknown polls, which are not posts.
 */
async function tryReceiveVote(
  app: App,
  accountId: AccountId,
  object: Json,
  parent: FoundStatus | undefined,
): Promise<boolean> {
  const [parentUri, option] = [idOf(object['inReplyTo']), object['name']];
  if (parentUri === undefined || typeof option !== 'string' || !typesOf(object).includes('Note')) return false;
  const status = parent?.status;
  if (status?.local !== true || !(await isPollOption(app, status.id, option))) return looksLikeVote(object);
  await recordRemoteVote(app, { accountId, statusId: status.id, option });
  return true;
}

/**
 * Whether an object is a Note with a name and no text. `content` is missing, null or empty, depending on the server.
 */
function looksLikeVote(object: Json): boolean {
  const { name, inReplyTo } = object;
  const isNamedReply = typeof name === 'string' && inReplyTo !== undefined && inReplyTo !== null;
  return isNamedReply && typesOf(object).includes('Note') && (textOf(object, 'content') ?? '').trim() === '';
}
