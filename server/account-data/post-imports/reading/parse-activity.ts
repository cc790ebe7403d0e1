import {
  dateOf,
  hostOf,
  idOf,
  isNote,
  isObject,
  listOf,
  numberOf,
  parseNote,
  textOf,
  typeOf,
  visibilityOf,
  type Json,
} from '../../../federation/documents/index.ts';
import { checkPost, type ArchivedFile, type ArchivedPost, type OtherItem } from './archived-post.ts';

/** The account whose archive it is. */
export interface ArchiveActor {
  /** ActivityPub id. */
  readonly uri: string;
  /** Id of the collection of its followers. */
  readonly followers: string;
}

/** Parses actor.json; returns undefined if it has no id. */
export function parseArchiveActor(document: unknown): ArchiveActor | undefined {
  if (!isObject(document)) return undefined;
  const uri = idOf(document);
  if (uri === undefined || hostOf(uri) === undefined) return undefined;
  return { uri, followers: idOf(document['followers']) ?? `${uri}/followers` };
}

/** Returns the actor of an activity, for archives without actor.json. */
export const actorOf = (activity: unknown): ArchiveActor | undefined =>
  parseArchiveActor(isObject(activity) ? { id: idOf(activity['actor']) } : undefined);

/** Parses an activity of outbox.json. The posts of other actors are invalid, and so are dates before 2006 or after `now`. */
export function parseActivity(activity: unknown, actor: ArchiveActor, now: Date): ArchivedPost | OtherItem {
  if (!isObject(activity)) return 'invalid';
  if (typeOf(activity) === 'Announce') return 'boost';
  const object = activity['object'];
  if (typeOf(activity) !== 'Create' || !isObject(object) || !isNote(object)) return 'invalid';
  let note: ReturnType<typeof parseNote>;
  try {
    note = parseNote(object);
  } catch {
    return 'invalid';
  }
  if (note.attributedTo !== actor.uri) return 'invalid';
  const { question } = note;
  return checkPost(
    {
      uri: note.uri,
      url: note.url ?? note.uri,
      publishedAt: (note.published ?? dateOf(activity['published']))?.toISOString() ?? '',
      editedAt: note.updated?.toISOString() ?? null,
      html: note.content,
      spoilerText: note.summary,
      sensitive: note.sensitive,
      language: note.language ?? null,
      visibility: visibilityOf(note, actor.followers),
      inReplyTo: note.inReplyTo ?? null,
      tags: note.hashtags,
      files: listOf(object['attachment']).filter(isObject).flatMap(parseFile),
      poll: question === undefined ? null : { ...question, votersCount: question.votersCount },
      pollEndedAt: question?.endsAt?.toISOString() ?? null,
    },
    now,
  );
}

/** Unlike those of posts from other servers, addresses may be paths. */
function parseFile(file: Json): ArchivedFile | [] {
  const link = listOf(file['url'] ?? file['href'])[0];
  const path = isObject(link) ? link['href'] : link;
  if (typeof path !== 'string' || path === '' || path.length > 2_048) return [];
  const [x, y] = listOf(file['focalPoint']).map(numberOf);
  return {
    path,
    description: textOf(file, 'summary', 20_000) ?? textOf(file, 'name', 20_000) ?? '',
    focus: x === undefined || y === undefined ? null : `${x},${y}`,
  };
}
