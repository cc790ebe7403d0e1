import type { Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { AccountDataTables } from '../tables.ts';
import type { Archive, ArchiveId } from './schema.ts';

export type ArchiveRow = Selectable<AccountDataTables['archives']>;

/** Archives that are listed. */
const maxListed = 10;
const requestIntervalMs = 7 * 86_400_000;

/** Returns when the next archive can be requested after this one; undefined if this one failed. */
export const nextRequestAfter = ({ state, requested_at: time }: ArchiveRow): Date | undefined =>
  state === 'failed' ? undefined : new Date(time.getTime() + requestIntervalMs);

/** Returns an archive. Throws 404 unless it belongs to the account. */
export function requireArchive({ db }: App, accountId: AccountId, id: ArchiveId): Promise<ArchiveRow> {
  return db
    .selectFrom('archives')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns the last archives of an account, newest first. */
export function listArchives({ db }: App, accountId: AccountId): Promise<ArchiveRow[]> {
  return db
    .selectFrom('archives')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();
}

/** Returns whether the file of an archive can be downloaded now. */
export const isDownloadable = (app: App, { state, expires_at: end }: ArchiveRow): boolean =>
  state === 'ready' && end !== null && end > app.clock.now();

/** Presents an archive. One whose time is over is `expired`, even before the clean-up deletes its file. */
export function presentArchive(app: App, row: ArchiveRow): Archive {
  return {
    id: row.id,
    state: row.state === 'ready' && !isDownloadable(app, row) ? 'expired' : row.state,
    posts_written: row.posts_written,
    posts_total: row.posts_total,
    size: row.size === null ? null : Number(row.size),
    problem: row.problem,
    requested_at: row.requested_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    next_request_at: nextRequestAfter(row)?.toISOString() ?? null,
  };
}
