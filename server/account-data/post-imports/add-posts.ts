import { sql } from 'kysely';
import { requireAccount, type AccountRow } from '../../accounts/find/index.ts';
import { deleteMedia } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { hasAnyAddress } from '../../platform/database/has-address.ts';
import type { MediaId, StatusId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import {
  findReplyParents,
  insertImportedStatuses,
  isRefused,
  recordRefusedImports,
  screenImportedStatus,
  type ImportedStatus,
  type RefusedImport,
} from '../../statuses/imported/index.ts';
import { writable } from '../tables.ts';
import { addFiles, openQuota, type Quota } from './add-files.ts';
import type { PostImportRow } from './find-post-imports.ts';
import { unpackMedia, type ImportFolder, type UploadedArchive } from './import-folder.ts';
import type { ArchivedPost } from './reading/archived-post.ts';
import { RemoteFiles } from './remote-files.ts';

/** Posts of one transaction. */
const batchSize = 40;

interface Item {
  readonly position: number;
  readonly post: ArchivedPost;
}

/**
 * Adds the posts that were read, oldest first, so that replies find what they answer. Returns whether all are added: not if
 * the user stopped the import or `signal` aborted.
 */
export async function addPosts(
  app: App,
  folder: ImportFolder,
  file: UploadedArchive,
  signal: AbortSignal,
): Promise<boolean> {
  const { row } = folder;
  const author = await requireAccount(app, row.account_id);
  const media = row.files > 0 ? await unpackMedia(app, folder, file) : new Map<string, string>();
  const remoteFiles = new RemoteFiles(app, signal);
  const quota = await openQuota(app, row.account_id);
  while (!signal.aborted) {
    const items = await listItems(app, row);
    if (items.length === 0) return true;
    if (!(await addBatch(app, row, items, { author, media, remoteFiles, quota, signal }))) return false;
  }
  return false;
}

function listItems({ db }: App, { id }: PostImportRow): Promise<Item[]> {
  return db
    .selectFrom('post_import_items')
    .select(['position', 'post'])
    .where('import_id', '=', id)
    .orderBy('published_at')
    .orderBy('position')
    .limit(batchSize)
    .execute();
}

interface Work {
  readonly author: Pick<AccountRow, 'id' | 'uri'>;
  readonly media: ReadonlyMap<string, string>;
  readonly remoteFiles: RemoteFiles;
  readonly quota: Quota;
  readonly signal: AbortSignal;
}

/** Adds some posts with their files in one transaction. Returns false if the import was stopped, or this process stops. */
async function addBatch(app: App, row: PostImportRow, items: readonly Item[], work: Work): Promise<boolean> {
  const { account_id: accountId } = row;
  const posts = new Map(items.map(({ post }) => [post.uri, post]));
  const known = await findKnown(app, row, [...posts.keys()]);
  const fresh = [...posts.values()].filter(({ uri }) => !known.has(uri));
  const parents = await findParents(app, row, fresh);
  /** Places of the statuses by the addresses of their originals. */
  const places = new Map<string, number>();
  const statuses: ImportedStatus[] = [];
  const refused: RefusedImport[] = [];
  let missing = 0;
  for (const post of fresh) {
    const added = await addFiles(app, accountId, post.files, work);
    missing += post.files.length - added.length;
    const parent = places.get(post.inReplyTo ?? '') ?? parents.get(post.inReplyTo ?? '') ?? null;
    const status = toImportedStatus(post, added, parent);
    const verdict = await screenImportedStatus(app, accountId, status);
    if (verdict !== undefined && isRefused(verdict)) {
      for (const id of added) await deleteMedia(app, accountId, id);
      refused.push({ post: status, verdict });
      continue;
    }
    places.set(post.uri, statuses.length);
    statuses.push({ ...status, verdict });
  }
  // Files that were not fetched are not missing. Another process adds the batch.
  if (work.signal.aborted) {
    for (const id of statuses.flatMap(({ mediaIds }) => mediaIds)) await deleteMedia(app, accountId, id);
    return false;
  }
  return transaction(app, async (tx) => {
    const open = await tx.db
      .selectFrom('post_imports')
      .select('id')
      .where('id', '=', row.id)
      .where('state', '=', 'adding')
      .forUpdate()
      .executeTakeFirst();
    if (open === undefined) return false;
    const ids = await insertImportedStatuses(tx, app, work.author, statuses);
    await sql`
      insert into imported_statuses (status_id, account_id, import_id, original_uri)
      select id, ${accountId}::bigint, ${row.id}::bigint, uri
      from unnest(${ids}::bigint[], ${[...places.keys()]}::text[]) as added (id, uri)`.execute(tx.db);
    await recordRefusedImports(tx, app, accountId, refused);
    await sql`
      delete from post_import_items
      where import_id = ${row.id}::bigint and position = any(${items.map(({ position }) => position)}::int[])
        and published_at between ${items[0]?.post.publishedAt}::timestamptz and ${items.at(-1)?.post.publishedAt}::timestamptz`.execute(
      tx.db,
    );
    await writable(tx.db)
      .updateTable('post_imports')
      .set({
        imported: sql`imported + ${ids.length}`,
        known: sql`known + ${items.length - fresh.length}`,
        refused: sql`refused + ${refused.length}`,
        missing_files: sql`missing_files + ${missing}`,
      })
      .where('id', '=', row.id)
      .execute();
    return true;
  });
}

function toImportedStatus(
  post: ArchivedPost,
  mediaIds: readonly MediaId[],
  parent: ImportedStatus['parent'],
): ImportedStatus {
  const { poll, pollEndedAt } = post;
  return {
    ...post,
    mediaIds,
    poll: poll === null ? null : { ...poll, expiresAt: pollEndedAt === null ? undefined : new Date(pollEndedAt) },
    publishedAt: new Date(post.publishedAt),
    editedAt: post.editedAt === null ? null : new Date(post.editedAt),
    parent,
    isReply: post.inReplyTo !== null,
  };
}

/** Returns those of these original addresses whose posts the account has here already: imported, or posted here. */
async function findKnown(app: App, row: PostImportRow, uris: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uri: string }>`
    select original_uri as uri from imported_statuses
    where account_id = ${row.account_id}::bigint and original_uri = any(${uris}::text[])
    union all
    select uri from statuses
    where ${hasAnyAddress('statuses.uri', uris)} and account_id = ${row.account_id}::bigint and deleted_at is null`.execute(
    app.db,
  );
  return new Set(rows.map(({ uri }) => uri));
}

type Parents = ReadonlyMap<string, Exclude<ImportedStatus['parent'], number | null>>;

/** Returns the stored posts that these answer, by the addresses of their originals. */
async function findParents(app: App, row: PostImportRow, posts: readonly ArchivedPost[]): Promise<Parents> {
  const uris = [...new Set(posts.flatMap(({ inReplyTo }) => inReplyTo ?? []))];
  const { rows } = await sql<{ uri: string; id: StatusId }>`
    select original_uri as uri, status_id as id from imported_statuses
    where account_id = ${row.account_id}::bigint and original_uri = any(${uris}::text[])
    union all
    select uri, id from statuses where ${hasAnyAddress('statuses.uri', uris)} and deleted_at is null`.execute(app.db);
  const parents = await findReplyParents(
    app,
    row.account_id,
    rows.map(({ id }) => id),
  );
  return new Map(
    rows.flatMap(({ uri, id }) => {
      const parent = parents.get(id);
      return parent === undefined ? [] : [[uri, parent] as const];
    }),
  );
}
