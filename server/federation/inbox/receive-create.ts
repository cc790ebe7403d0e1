import { findAccountByUri } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { receiveVote } from '../../statuses/index.ts';
import { authorOf, isNote, readNote } from '../documents/read-note.ts';
import { idOf, isObject, sameHost, type Json } from '../documents/values.ts';
import { findKnownStatus } from '../find-status.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { storeNote } from '../fetch/store-note.ts';
import { isDeleted } from '../tombstones.ts';
import { isRelevant } from './relevance.ts';
import type { Received } from './received.ts';

/**
 * Somebody published a post. It is taken from the activity when it is the actor's own and of the actor's server, and
 * fetched from its origin otherwise. It is kept when it concerns this server, or came to a personal inbox.
 */
export async function receiveCreate(app: App, { activity, actor, inboxAccountId }: Received): Promise<void> {
  const { object } = activity;
  const uri = idOf(object);
  if (uri === undefined || (await findKnownStatus(app, uri)) !== undefined || (await isDeleted(app, actor.uri, uri)))
    return;
  const own = isObject(object) && isNote(object) && sameHost(uri, actor.uri) && authorOf(object) === actor.uri;
  if (own && isVote(object)) return countVote(app, actor.id, object);
  await keepRelevant(app, own ? object : await fetchObject(app, uri), inboxAccountId !== null);
}

/** Stores a post, had from its origin, when it concerns this server. `isAddressed`: it came to somebody here by name. */
export async function keepRelevant(app: App, object: Json, isAddressed = false): Promise<void> {
  if (!isNote(object) || isVote(object)) return;
  const note = readNote(object);
  const author = await findAccountByUri(app, note.attributedTo);
  if (isAddressed || (await isRelevant(app, note, author?.id))) await storeNote(app, note);
}

/** Counts a vote in a poll of this server; one that does not count is dropped. */
async function countVote(app: App, accountId: AccountId, object: Json): Promise<void> {
  const parent = idOf(object['inReplyTo']);
  const status = parent === undefined ? undefined : await findKnownStatus(app, parent);
  if (status?.local !== true) return;
  await receiveVote(app, { accountId, statusId: status.id, option: String(object['name']) });
}

/** A vote in a poll is a Note with a name and nothing to read. */
function isVote(object: Json): boolean {
  return (
    typeof object['name'] === 'string' &&
    object['content'] === undefined &&
    object['inReplyTo'] !== undefined &&
    object['type'] === 'Note'
  );
}
