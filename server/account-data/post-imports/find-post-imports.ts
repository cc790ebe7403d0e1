import type { Selectable } from 'kysely';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { AccountDataTables } from '../tables.ts';
import type { PostImport, PostImportId } from './schema.ts';

export type PostImportRow = Selectable<AccountDataTables['post_imports']>;

/** Imports that are listed. */
const maxListed = 20;

/** Returns an import of posts. Throws 404 unless it belongs to the account. */
export function requirePostImport({ db }: App, accountId: AccountId, id: PostImportId): Promise<PostImportRow> {
  return db
    .selectFrom('post_imports')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns the last imports of posts of an account, newest first. */
export function listPostImports({ db }: App, accountId: AccountId): Promise<PostImportRow[]> {
  return db
    .selectFrom('post_imports')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();
}

/** Returns whether the posts of an import are of the account itself: it, or an account that it names as its alias. */
export async function isOwnActor(app: App, accountId: AccountId, actor: string | null): Promise<boolean> {
  const account = actor === null ? undefined : await findAccount(app, accountId);
  return account !== undefined && actor !== null && [account.uri, ...account.also_known_as].includes(actor);
}

/** Presents imports of posts of one account in their order. */
export function presentPostImports(app: App, rows: readonly PostImportRow[]): Promise<PostImport[]> {
  return Promise.all(rows.map((row) => presentPostImport(app, row)));
}

/** Presents an import of posts. */
export async function presentPostImport(app: App, row: PostImportRow): Promise<PostImport> {
  return {
    id: row.id,
    state: row.state,
    problem: row.problem,
    actor: row.actor,
    own_account: await isOwnActor(app, row.account_id, row.actor),
    posts_count: row.posts,
    direct_count: row.direct,
    boosts_count: row.boosts,
    invalid_count: row.invalid,
    files_count: row.files,
    bookmarks_count: row.bookmarks,
    likes_count: row.likes,
    imported_count: row.imported,
    known_count: row.known,
    refused_count: row.refused,
    missing_files_count: row.missing_files,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
