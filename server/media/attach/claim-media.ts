import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { isId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { maxAttachments } from '../limits.ts';
import { fileKeysOf, deleteFiles } from '../stored-files.ts';
import type { MediaRow } from '../tables.ts';

/** The files that an account attaches to a status. */
export interface MediaClaim {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  /** In the author's order, as clients send them: they may not be valid ids. */
  readonly mediaIds: readonly string[];
  /** The scheduled status that becomes this one: files reserved for it may be attached. */
  readonly scheduledId?: string | undefined;
}

/**
 * Attaches files to a status and returns their rows in the author's order. Files already attached to it may be named
 * again, as edits do. Throws 422 for more than four files, for a video or audio file beside another one (STA-06), and for
 * a file that is not the author's, is attached to another status or is not processed yet. The status itself may be stored
 * later in the transaction.
 */
export async function claimMedia(tx: Transaction, _app: App, claim: MediaClaim): Promise<MediaRow[]> {
  const rows = await lockAttachable(tx, claim, (row) =>
    row.status_id === null
      ? row.scheduled_id === null || row.scheduled_id === claim.scheduledId
      : row.status_id === claim.statusId,
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  await sql`update media_attachments set status_id = ${claim.statusId}, scheduled_id = null, released_at = null
    where id = any(${ids}::bigint[])`.execute(tx.db);
  return rows.map((row) => ({ ...row, status_id: claim.statusId, scheduled_id: null, released_at: null }));
}

/** The files of a scheduled status. */
export interface Reservation {
  readonly accountId: AccountId;
  readonly scheduledId: string;
  readonly mediaIds: readonly string[];
}

/** Reserves files for a scheduled status, by the rules of `claimMedia`, which attaches them later. */
export async function reserveMedia(tx: Transaction, _app: App, reservation: Reservation): Promise<MediaRow[]> {
  const { scheduledId } = reservation;
  const rows = await lockAttachable(
    tx,
    reservation,
    (row) => row.status_id === null && (row.scheduled_id === null || row.scheduled_id === scheduledId),
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  await sql`update media_attachments set scheduled_id = ${scheduledId} where id = any(${ids}::bigint[])`.execute(tx.db);
  return rows.map((row) => ({ ...row, scheduled_id: scheduledId }));
}

/** Releases the files of a scheduled status that will not be posted. They are deleted after a day unless posted. */
export async function releaseReservedMedia({ db }: Transaction, app: App, scheduledId: string): Promise<void> {
  await sql`update media_attachments set scheduled_id = null, released_at = ${app.clock.now()}
    where scheduled_id = ${scheduledId}`.execute(db);
}

async function lockAttachable(
  { db }: Transaction,
  { accountId, mediaIds }: Pick<MediaClaim, 'accountId' | 'mediaIds'>,
  isAvailable: (row: MediaRow) => boolean,
): Promise<MediaRow[]> {
  const ids = [...new Set(mediaIds)];
  if (ids.length === 0) return [];
  if (ids.length > maxAttachments) throw unprocessable(`Cannot attach more than ${maxAttachments} files`);
  const { rows: found } = await sql<MediaRow>`select * from media_attachments
    where id = any(${ids.filter(isId)}::bigint[]) and account_id = ${accountId} and remote_url is null
    order by id for update`.execute(db);
  const rows = ids.flatMap((id) => found.find((row) => row.id === id) ?? []);
  if (rows.length < ids.length || !rows.every(isAvailable)) {
    throw unprocessable('Media IDs name a file that does not exist, is not yours or is already used by another post');
  }
  assertAttachableTogether(rows);
  return rows;
}

function assertAttachableTogether(rows: readonly MediaRow[]): void {
  if (rows.some(({ state }) => state === 'failed')) {
    throw unprocessable('Cannot attach files that could not be processed');
  }
  if (rows.some(({ state }) => state === 'waiting')) {
    throw unprocessable('Cannot attach files that have not finished processing. Try again in a moment!');
  }
  if (rows.length > 1 && rows.some(({ type }) => type === 'video' || type === 'audio')) {
    throw unprocessable('A video or audio file cannot be attached together with other files');
  }
}

/**
 * Releases the files of a deleted status. With `keepForADay` they can be attached again, for delete and redraft, and are
 * deleted after a day (STA-22); otherwise they are deleted at once.
 */
export async function releaseMedia(
  tx: Transaction,
  app: App,
  statusId: StatusId,
  { keepForADay }: { keepForADay: boolean },
): Promise<void> {
  if (keepForADay) {
    await sql`update media_attachments set status_id = null, released_at = ${app.clock.now()}
      where status_id = ${statusId} and remote_url is null`.execute(tx.db);
  }
  const { rows } = await sql<MediaRow>`delete from media_attachments where status_id = ${statusId}
    returning file_key, preview_key, source_key`.execute(tx.db);
  const keys = fileKeysOf(rows);
  if (keys.length > 0) tx.enqueue(deleteFiles({ keys }));
}
