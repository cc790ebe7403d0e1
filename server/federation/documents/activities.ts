import type { Visibility } from '../../statuses/index.ts';
import { activityStreams, publicCollection } from './contexts.ts';
import type { Json } from './values.ts';

/** To whom something is addressed, as ids of actors and collections. */
export interface Audience {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** The addressees of a post by its visibility; `mentioned`: ids of the actors it names. */
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
  }
}

/** A document of its own from a part: the context comes first, as other servers expect it. */
export function withContext(object: Json, context: unknown = activityStreams): Json {
  return { '@context': context, ...object };
}

/** A Follow of ours by the id of its row. */
export function follow(actor: string, id: string, object: string): Json {
  return { id: `${actor}#follows/${id}`, type: 'Follow', actor, object };
}

/** The Follow of somebody else, as it came; `id` is null when it was never told. */
export function remoteFollow(actor: string, id: string | null, object: string): Json {
  return id === null ? { type: 'Follow', actor, object } : { id, type: 'Follow', actor, object };
}

/** Agrees to a Follow; `id` is that of the follow. */
export function accept(actor: string, id: string, object: Json): Json {
  return { id: `${actor}#accepts/follows/${id}`, type: 'Accept', actor, object };
}

/** Refuses a Follow, or ends what came of it. */
export function reject(actor: string, id: string, object: Json): Json {
  return { id: `${actor}#rejects/follows/${id}`, type: 'Reject', actor, object };
}

/** A favourite, by the id of its row. */
export function like(actor: string, id: string, object: string): Json {
  return { id: `${actor}#likes/${id}`, type: 'Like', actor, object };
}

/** A Block, by the id of its row. */
export function block(actor: string, id: string, object: string): Json {
  return { id: `${actor}#blocks/${id}`, type: 'Block', actor, object };
}

/** Takes back an activity whose id has a fragment or path to which `/undo` can be added. */
export function undo(actor: string, object: Json, id = `${String(object['id'])}/undo`, audience?: Audience): Json {
  return { id, type: 'Undo', actor, ...audience, object };
}

/** What a reblog is made of. */
export interface AnnounceFields {
  /** Id of the Announce. */
  readonly id: string;
  readonly actor: string;
  readonly followers: string;
  readonly published: Date;
  readonly object: string;
  readonly objectAuthor: string;
  readonly visibility: Visibility;
}

/** A reblog: addressed like a post of its visibility, with the author of the original in cc. */
export function announce({ id, actor, followers, published, object, objectAuthor, visibility }: AnnounceFields): Json {
  const audience = audienceOf(visibility, followers, objectAuthor === actor ? [] : [objectAuthor]);
  return { id, type: 'Announce', actor, published: isoTimestamp(published), ...audience, object };
}

/** A Create around a post. */
export function create(note: Json): Json {
  const { attributedTo, published, to, cc } = note;
  return { id: `${String(note['id'])}/activity`, type: 'Create', actor: attributedTo, published, to, cc, object: note };
}

/** The news that an actor changed. `moment`: of the change; makes the id unique. */
export function updateActor(actor: Json, moment: Date): Json {
  const id = String(actor['id']);
  return { id: `${id}#updates/${moment.getTime()}`, type: 'Update', actor: id, to: [publicCollection], object: actor };
}

/** The news that a post changed. `moment`: of the change; makes the id unique. */
export function updateNote(note: Json, moment: Date): Json {
  const { attributedTo, to, cc } = note;
  const id = `${String(note['id'])}#updates/${moment.getTime()}`;
  return { id, type: 'Update', actor: attributedTo, published: isoTimestamp(moment), to, cc, object: note };
}

/** An actor went elsewhere; `id`: of the move's row. */
export function move(
  actor: string,
  { id, target, followers }: { id: string; target: string; followers: string },
): Json {
  return { id: `${actor}#moves/${id}`, type: 'Move', actor, to: [followers], object: actor, target };
}

/** What an actor shows on its profile grew (`Add`) or shrank (`Remove`) by an object. `id`: unique for the actor. */
export function addOrRemove(
  type: 'Add' | 'Remove',
  actor: string,
  { id, object, target }: { id: string; object: unknown; target: string },
): Json {
  return { id: `${actor}#${type === 'Add' ? 'adds' : 'removes'}/${id}`, type, actor, object, target };
}

/** The choice of one option in a poll; `id`: of the vote's row. */
export function vote(actor: string, id: string, choice: { option: string; question: string; author: string }): Json {
  const { option, question, author } = choice;
  const uri = `${actor}#votes/${id}`;
  const object = { id: uri, type: 'Note', name: option, attributedTo: actor, inReplyTo: question, to: author };
  return { id: `${uri}/activity`, type: 'Create', actor, to: author, object };
}

/** The end of a post. */
export function deleteNote(actor: string, uri: string): Json {
  return {
    id: `${uri}#delete`,
    type: 'Delete',
    actor,
    to: [publicCollection],
    object: { id: uri, type: 'Tombstone', atomUri: uri },
  };
}

/** The end of an actor and of all that it made. */
export function deleteActor(actor: string): Json {
  return { id: `${actor}#delete`, type: 'Delete', actor, to: [publicCollection], object: actor };
}

/** A moment as documents carry it: ISO 8601, whole seconds, UTC. */
export function isoTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
