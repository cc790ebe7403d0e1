import { dateOf, isObject, listOf, numberOf, textOf, type Json } from '../../../federation/documents/index.ts';
import { formatText, parseText } from '../../../text/format/index.ts';
import { checkPost, type ArchivedFile, type ArchivedPost, type OtherItem } from './archived-post.ts';

const visibilities: ReadonlyMap<unknown, ArchivedPost['visibility']> = new Map([
  ['public', 'public'],
  ['home', 'unlisted'],
  ['followers', 'private'],
  ['specified', 'direct'],
]);

export interface MisskeyOptions {
  /** Address of the server, which its files do not contain: https://host. */
  readonly origin: string;
  readonly hashtagUrl: (name: string) => string;
  readonly now: Date;
}

/** Parses a note of Misskey's notes.json. Its markup (MFM) becomes text; a quote becomes a link. */
export function parseMisskeyNote(note: unknown, { origin, hashtagUrl, now }: MisskeyOptions): ArchivedPost | OtherItem {
  if (!isObject(note)) return 'invalid';
  const id = idOfNote(note['id']);
  if (id === undefined) return 'invalid';
  const uriOf = (noteId: string) => `${origin}/notes/${noteId}`;
  const text = plainText(textOf(note, 'text', maxTextLength) ?? '');
  const files = parseFiles(note);
  const poll = isObject(note['poll']) ? parsePoll(note['poll']) : null;
  const renoteId = idOfNote(note['renoteId']);
  const summary = textOf(note, 'cw', 5_000) ?? '';
  if (renoteId !== undefined && text === '' && summary === '' && files.length === 0 && poll === null) return 'boost';
  const shown = [text, ...(renoteId === undefined ? [] : [uriOf(renoteId)])].join('\n\n');
  const inReplyTo = idOfNote(note['replyId']);
  return checkPost(
    {
      uri: uriOf(id),
      url: uriOf(id),
      publishedAt: timeOf(note['createdAt']) ?? '',
      editedAt: timeOf(note['updatedAt']),
      html: formatText(shown, { mentions: new Map(), hashtagUrl }),
      spoilerText: summary,
      sensitive: listOf(note['files']).some((file) => isObject(file) && file['isSensitive'] === true),
      language: null,
      // A visibility that is unknown counts as the narrowest.
      visibility: visibilities.get(note['visibility']) ?? 'direct',
      inReplyTo: inReplyTo === undefined ? null : uriOf(inReplyTo),
      tags: parseText(text).flatMap((token) => (token.type === 'hashtag' ? token.name : [])),
      files,
      poll: poll?.poll ?? null,
      pollEndedAt: poll?.endedAt ?? null,
    },
    now,
  );
}

const maxTextLength = 100_000;

const timeOf = (value: unknown): string | null => dateOf(value)?.toISOString() ?? null;

/** Ids of Misskey consist of letters and digits. */
const idOfNote = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9]{1,64}$/.test(value) ? value : undefined;

/** Returns MFM without its functions (`$[x2 text]`) and tags (`<center>`), whose text stays. */
export function plainText(mfm: string): string {
  let text = mfm.replaceAll(/<\/?(?:center|small|plain|b|i|s)>/g, '');
  // From the inside to the outside; deeper nesting stays as written.
  for (let depth = 0; depth < 10; depth += 1) {
    const simpler = text.replaceAll(/\$\[[a-z0-9.,=_-]{1,100} ([^[\]]*)\]/g, '$1');
    if (simpler === text) break;
    text = simpler;
  }
  return text.trim();
}

/** Older versions list only the ids of files, which count as missing. */
function parseFiles(note: Json): ArchivedFile[] {
  const files = listOf(note['files']).filter(isObject).flatMap(parseFile);
  const ids = listOf(note['fileIds']).slice(files.length);
  return [...files, ...ids.map(() => ({ path: '', description: '', focus: null }))];
}

function parseFile(file: Json): ArchivedFile | [] {
  const url = textOf(file, 'url', 2_048);
  if (url === undefined) return [];
  return { path: url, description: textOf(file, 'comment', 20_000) ?? '', focus: null };
}

function parsePoll(poll: Json): { poll: NonNullable<ArchivedPost['poll']>; endedAt: string | null } | null {
  const votes = listOf(poll['votes']).map((count) => numberOf(count) ?? 0);
  const options = listOf(poll['choices'])
    .slice(0, 100)
    .flatMap((choice, place) => {
      // Notes of the API have objects here, files have texts.
      const title = isObject(choice) ? textOf(choice, 'text', 500) : choice;
      if (typeof title !== 'string' || title.trim() === '') return [];
      return { title, votes: (isObject(choice) ? numberOf(choice['votes']) : votes[place]) ?? 0 };
    });
  if (options.length === 0) return null;
  return {
    poll: { options, multiple: poll['multiple'] === true, votersCount: undefined },
    endedAt: timeOf(poll['expiresAt']),
  };
}
