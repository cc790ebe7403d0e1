import type { Visibility } from '../../statuses/index.ts';
import { activityStreams, publicCollection } from './contexts.ts';
import type { Json } from './values.ts';

/** The addressees of an object: ids of actors and collections. */
export interface Audience {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/**
 * Returns the addressees of a post with this visibility; none for a local-only or imported one, which only the archive of its
 * author has. `mentioned`: ids of the mentioned actors.
 */
export function audienceOf(visibility: Visibility, followers: string, mentioned: readonly string[]): Audience {
  switch (visibility) {
    case 'public':
      return { to: [publicCollection], cc: [followers, ...mentioned] };
    case 'unlisted':
      return { to: [followers], cc: [publicCollection, ...mentioned] };
    case 'private':
      return { to: [followers], cc: mentioned };
    case 'direct':
      return { to: mentioned, cc: [] };
    case 'local_public':
    case 'local_unlisted':
    case 'local_private':
    case 'imported_public':
    case 'imported_unlisted':
    case 'imported_private':
    case 'imported_direct':
      return { to: [], cc: [] };
  }
}

/** Adds the context to an object, as the first property, which other servers expect. */
export function withContext(object: Json, context: unknown = activityStreams): Json {
  return { '@context': context, ...object };
}

/** Returns a Follow by a local account. `id`: of its row. `uri`: of a Follow that was sent before the server moved here. */
export function follow(actor: string, id: string, object: string, uri?: string | null): Json {
  return { id: uri ?? `${actor}#follows/${id}`, type: 'Follow', actor, object };
}

/** Returns the Follow that a remote account sent. `id`: null if it had none. */
export function remoteFollow(actor: string, id: string | null, object: string): Json {
  return id === null ? { type: 'Follow', actor, object } : { id, type: 'Follow', actor, object };
}

/** Returns the Accept of a Follow. `id`: of the row of the follow. */
export function accept(actor: string, id: string, object: Json): Json {
  return { id: `${actor}#accepts/follows/${id}`, type: 'Accept', actor, object };
}

/** Returns the Reject of a Follow, pending or accepted. */
export function reject(actor: string, id: string, object: Json): Json {
  return { id: `${actor}#rejects/follows/${id}`, type: 'Reject', actor, object };
}

/** Returns a Like. `id`: of the row of the favourite. */
export function like(actor: string, id: string, object: string): Json {
  return { id: `${actor}#likes/${id}`, type: 'Like', actor, object };
}

/** Returns a Block. `id`: of its row. `uri`: of a Block that was sent before the server moved here. */
export function block(actor: string, id: string, object: string, uri?: string | null): Json {
  return { id: uri ?? `${actor}#blocks/${id}`, type: 'Block', actor, object };
}

/** Returns the Undo of an activity. By default its id is that of the activity with `/undo`. */
export function undo(actor: string, object: Json, id = `${String(object['id'])}/undo`, audience?: Audience): Json {
  return { id, type: 'Undo', actor, ...audience, object };
}

/** The properties of an Announce. */
export interface AnnounceFields {
  readonly id: string;
  readonly actor: string;
  readonly followers: string;
  readonly published: Date;
  readonly object: string;
  readonly objectAuthor: string;
  readonly visibility: Visibility;
}

/** Returns an Announce, addressed like a post with the same visibility, with the original author in `cc`. */
export function announce({ id, actor, followers, published, object, objectAuthor, visibility }: AnnounceFields): Json {
  const audience = audienceOf(visibility, followers, objectAuthor === actor ? [] : [objectAuthor]);
  return { id, type: 'Announce', actor, published: isoTimestamp(published), ...audience, object };
}

/** Returns the Create of a post. */
export function create(note: Json): Json {
  const { attributedTo, published, to, cc } = note;
  return { id: `${String(note['id'])}/activity`, type: 'Create', actor: attributedTo, published, to, cc, object: note };
}

/** Returns the Update of an actor. `changedAt`: of the change; makes the id unique. */
export function updateActor(actor: Json, changedAt: Date): Json {
  const id = String(actor['id']);
  return {
    id: `${id}#updates/${changedAt.getTime()}`,
    type: 'Update',
    actor: id,
    to: [publicCollection],
    object: actor,
  };
}

/** Returns the Update of a post. `changedAt`: of the change; makes the id unique. */
export function updateNote(note: Json, changedAt: Date): Json {
  const { attributedTo, to, cc } = note;
  const id = `${String(note['id'])}#updates/${changedAt.getTime()}`;
  return { id, type: 'Update', actor: attributedTo, published: isoTimestamp(changedAt), to, cc, object: note };
}

/** Returns the Move of an actor. `id`: of the row of the move. */
export function move(
  actor: string,
  { id, target, followers }: { id: string; target: string; followers: string },
): Json {
  return { id: `${actor}#moves/${id}`, type: 'Move', actor, to: [followers], object: actor, target };
}

/** Returns the Add or Remove of an object on the profile of an actor. `id`: unique per actor. */
export function addOrRemove(
  type: 'Add' | 'Remove',
  actor: string,
  { id, object, target }: { id: string; object: unknown; target: string },
): Json {
  return { id: `${actor}#${type === 'Add' ? 'adds' : 'removes'}/${id}`, type, actor, object, target };
}

/** Returns a vote for one option of a poll. `id`: of the row of the vote. */
export function vote(actor: string, id: string, choice: { option: string; question: string; author: string }): Json {
  const { option, question, author } = choice;
  const uri = `${actor}#votes/${id}`;
  const object = { id: uri, type: 'Note', name: option, attributedTo: actor, inReplyTo: question, to: author };
  return { id: `${uri}/activity`, type: 'Create', actor, to: author, object };
}

/** Returns the Flag of an account. `id`: of the report; `objects`: addresses of its posts and collections. */
export function flag(
  actor: string,
  id: string,
  { account, objects, comment }: { account: string; objects: readonly string[]; comment: string },
): Json {
  return {
    id: `${actor}#flags/${id}`,
    type: 'Flag',
    actor,
    to: [account],
    content: comment,
    object: [account, ...objects],
  };
}

/** Returns the Delete of a post. */
export function deleteNote(actor: string, uri: string): Json {
  return {
    id: `${uri}#delete`,
    type: 'Delete',
    actor,
    to: [publicCollection],
    object: { id: uri, type: 'Tombstone', atomUri: uri },
  };
}

/** Returns the Delete of an actor. */
export function deleteActor(actor: string): Json {
  return { id: `${actor}#delete`, type: 'Delete', actor, to: [publicCollection], object: actor };
}

/** Formats a time for documents: ISO 8601 in UTC, in whole seconds. */
export function isoTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
