import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { UploadedFile } from '../../platform/http/parse-params.ts';
import { conflict, invalidField, notFound } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { deleteArchiveFiles } from '../archives/delete-archive-files.ts';
import { writable } from '../tables.ts';
import { isOwnActor, requirePostImport, type PostImportRow } from './find-post-imports.ts';
import { findArchiveKind } from './reading/unpack-archive.ts';
import { importPosts } from './run-post-import.ts';
import type { PostImportId } from './schema.ts';

/** Longer than the longest name of a host. */
const maxOriginLength = 300;

interface NewPostImport {
  readonly file: UploadedFile | undefined;
  readonly origin: string | undefined;
}

/**
 * Stores a file with posts, which a job reads. Throws 422 that names the field if it is no archive or larger than
 * IMPORT_QUOTA, and 409 while another import of the account is at work.
 */
export async function createPostImport(
  app: App,
  accountId: AccountId,
  { file, origin }: NewPostImport,
): Promise<PostImportRow> {
  if (file === undefined) throw invalidField('file', 'problems.blank');
  if (file.size > app.config.IMPORT_QUOTA * 1_048_576)
    throw invalidField('file', 'postImports.tooLarge', { max: app.config.IMPORT_QUOTA });
  if ((await findArchiveKind(file.path)) === undefined) throw invalidField('file', 'postImports.notArchive');
  const server = origin === undefined || origin === '' ? null : parseOrigin(origin);
  await assertNoneOpen(app.db, accountId);
  const name = randomBytes(16).toString('hex');
  const key = `archives/${name.slice(0, 2)}/${name}.bin`;
  await app.storage.putFile(key, file.path, 'application/octet-stream');
  return transaction(app, async ({ db, enqueue }) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`post imports ${accountId}`}, 0))`.execute(db);
    await assertNoneOpen(db, accountId);
    const created = await writable(db)
      .insertInto('post_imports')
      .values({
        id: newId<'post-import'>(app.clock.now()),
        account_id: accountId,
        state: 'reading',
        problem: null,
        storage_key: key,
        origin: server,
        actor: null,
        created_at: app.clock.now(),
        finished_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    enqueue(importPosts(created.id));
    return created;
  }).catch(async (error: unknown) => {
    await app.storage.delete(key);
    throw error;
  });
}

/** Returns the address of a server. Throws 422 if it is none. */
function parseOrigin(text: string): string {
  if (text.length > maxOriginLength) throw invalidField('origin', 'postImports.noOrigin');
  const address = text.includes('://') ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.') || url.username !== '')
    throw invalidField('origin', 'postImports.noOrigin');
  return url.origin;
}

async function assertNoneOpen(db: App['db'], accountId: AccountId): Promise<void> {
  const open = await db
    .selectFrom('post_imports')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', 'not in', ['finished', 'failed'])
    .executeTakeFirst();
  if (open !== undefined) throw conflict('postImports.running');
}

/** What the user chooses when confirming an import. */
export interface PostImportChoices {
  readonly direct: boolean;
  readonly bookmarks: boolean;
  readonly likes: boolean;
  readonly otherAccount: boolean;
}

/**
 * Starts to add the posts; no-op if that was started. Throws 404 unless the import belongs to the account, 422 if the posts
 * are of another account and that is not confirmed.
 */
export async function confirmPostImport(
  app: App,
  accountId: AccountId,
  id: PostImportId,
  { direct, bookmarks, likes, otherAccount }: PostImportChoices,
): Promise<void> {
  const { actor } = await requirePostImport(app, accountId, id);
  if (!otherAccount && !(await isOwnActor(app, accountId, actor)))
    throw invalidField('other_account', 'postImports.otherAccount');
  await transaction(app, async ({ db, enqueue }) => {
    const started = await writable(db)
      .updateTable('post_imports')
      .set({ state: 'adding', with_direct: direct, with_bookmarks: bookmarks, with_likes: likes })
      .where('id', '=', id)
      .where('state', '=', 'unconfirmed')
      .returning('id')
      .executeTakeFirst();
    if (started === undefined) return;
    if (!direct)
      await sql`
      delete from post_import_items where import_id = ${id}::bigint and post ->> 'visibility' = 'direct'`.execute(db);
    enqueue(importPosts(id));
  });
}

/** Stops an import; what it added stays. Throws 404 unless it belongs to the account. */
export async function stopPostImport(app: App, accountId: AccountId, id: PostImportId): Promise<void> {
  await requirePostImport(app, accountId, id);
  await transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ key: string | null }>`
      with before as (
        select id, storage_key from post_imports
        where id = ${id}::bigint and state in ('reading', 'unconfirmed', 'adding') for update)
      update post_imports set state = 'finished', storage_key = null, finished_at = ${app.clock.now()}
      from before where post_imports.id = before.id
      returning before.storage_key as key`.execute(db);
    const [stopped] = rows;
    if (stopped === undefined) return;
    await writable(db).deleteFrom('post_import_items').where('import_id', '=', id).execute();
    if (stopped.key !== null) enqueue(deleteArchiveFiles({ keys: [stopped.key] }));
  });
}

/**
 * Undoes an import: a job deletes all posts that it added, and then the import. Throws 404 unless it belongs to the account.
 */
export async function undoPostImport(app: App, accountId: AccountId, id: PostImportId): Promise<void> {
  await requirePostImport(app, accountId, id);
  await stopPostImport(app, accountId, id);
  await transaction(app, async ({ db, enqueue }) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`post imports ${accountId}`}, 0))`.execute(db);
    const { state } = await db
      .selectFrom('post_imports')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => notFound());
    if (state === 'undoing') return;
    await assertNoneOpen(db, accountId);
    await writable(db).updateTable('post_imports').set({ state: 'undoing' }).where('id', '=', id).execute();
    enqueue(importPosts(id));
  });
}
