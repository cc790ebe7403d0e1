import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { parseJson } from '../../text/index.ts';
import { writable } from '../tables.ts';
import type { PostImportRow } from './find-post-imports.ts';
import { readItems, unpackJson, type ImportFolder, type UploadedArchive } from './import-folder.ts';
import type { ArchivedPost, OtherItem } from './reading/archived-post.ts';
import { actorOf, parseActivity, parseArchiveActor, type ArchiveActor } from './reading/parse-activity.ts';
import { parseMisskeyNote } from './reading/parse-misskey-note.ts';
import { ArchiveError } from './reading/unpack-archive.ts';

/** Items of the file, boosts included. */
const maxItems = 500_000;
const batchSize = 200;

/**
 * Reads the posts of the file into `post_import_items`, and counts what else it has. Then the import waits for the user.
 * Starts over if it is repeated. Throws ArchiveError if the file has no posts or too many.
 */
export async function readPosts(
  app: App,
  folder: ImportFolder,
  file: UploadedArchive,
  signal: AbortSignal,
): Promise<void> {
  const { row } = folder;
  await transaction(app, ({ db }) =>
    writable(db).deleteFrom('post_import_items').where('import_id', '=', row.id).execute(),
  );
  const paths = await unpackJson(app, folder, file, ['outbox.json', 'actor.json', 'likes.json', 'bookmarks.json']);
  const outbox = paths.get('outbox.json');
  if (outbox === undefined) throw new ArchiveError('no_posts');
  const parser = new ItemParser(app, row, await readActor(paths.get('actor.json')));
  const counts = { posts: 0, direct: 0, boosts: 0, invalid: 0, files: 0 };
  let batch: StoredItem[] = [];
  let position = 0;
  for await (const text of readItems(outbox)) {
    position += 1;
    if (position > maxItems) throw new ArchiveError('too_many_posts');
    const post = text === null ? 'invalid' : parser.parse(text);
    if (post === 'boost') counts.boosts += 1;
    else if (post === 'invalid') counts.invalid += 1;
    else {
      counts[post.visibility === 'direct' ? 'direct' : 'posts'] += 1;
      counts.files += post.files.length;
      batch.push({ position, post });
    }
    if (batch.length < batchSize) continue;
    if (signal.aborted || !(await storeItems(app, row, batch))) return;
    batch = [];
  }
  if (!(await storeItems(app, row, batch))) return;
  if (counts.posts + counts.direct === 0) throw new ArchiveError('no_posts');
  const marks = {
    bookmarks: await countItems(paths.get('bookmarks.json')),
    likes: await countItems(paths.get('likes.json')),
  };
  await transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('post_imports')
      .set({ state: 'unconfirmed', actor: parser.actor?.uri ?? null, ...counts, ...marks })
      .where('id', '=', row.id)
      .where('state', '=', 'reading')
      .execute();
  });
}

async function readActor(path: string | undefined): Promise<ArchiveActor | undefined> {
  if (path === undefined) return undefined;
  try {
    return parseArchiveActor(parseJson(await readFile(path, 'utf8')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ArchiveError('damaged', { cause: error });
  }
}

/** Parses the items of a file, in whichever format they are. */
class ItemParser {
  /** Without actor.json, that of the first activity. */
  actor: ArchiveActor | undefined;
  readonly #app: App;
  readonly #origin: string | null;

  constructor(app: App, { origin }: PostImportRow, actor: ArchiveActor | undefined) {
    this.#app = app;
    this.#origin = origin;
    this.actor = actor;
  }

  parse(text: string): ArchivedPost | OtherItem {
    let item: unknown;
    try {
      item = parseJson(text);
    } catch {
      return 'invalid';
    }
    const now = this.#app.clock.now();
    if (isMisskeyNote(item)) {
      if (this.#origin === null) throw new ArchiveError('no_origin');
      const hashtagUrl = (name: string) => `${this.#app.config.baseUrl}/tags/${encodeURIComponent(name)}`;
      return parseMisskeyNote(item, { origin: this.#origin, hashtagUrl, now });
    }
    this.actor ??= actorOf(item);
    return this.actor === undefined ? 'invalid' : parseActivity(item, this.actor, now);
  }
}

const isMisskeyNote = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'createdAt' in item && !('type' in item);

interface StoredItem {
  readonly position: number;
  readonly post: ArchivedPost;
}

/** Stores posts. Returns false if the import was stopped. */
function storeItems(app: App, { id }: PostImportRow, items: readonly StoredItem[]): Promise<boolean> {
  return transaction(app, async ({ db }) => {
    const row = await db
      .selectFrom('post_imports')
      .select('id')
      .where('id', '=', id)
      .where('state', '=', 'reading')
      .forShare()
      .executeTakeFirst();
    if (row === undefined) return false;
    await sql`
      insert into post_import_items (import_id, position, published_at, post)
      select ${id}::bigint, position, published_at, post::jsonb from unnest(
        ${items.map(({ position }) => position)}::int[],
        ${items.map(({ post }) => post.publishedAt)}::timestamptz[],
        ${items.map(({ post }) => JSON.stringify(post))}::text[]
      ) as item (position, published_at, post)`.execute(db);
    return true;
  });
}

async function countItems(path: string | undefined): Promise<number> {
  let count = 0;
  if (path !== undefined) for await (const item of readItems(path)) count += item === null ? 0 : 1;
  return count;
}
