import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { unprocessable } from '../platform/http/http-errors.ts';
import { isId, type AccountId, type StatusId } from '../platform/ids.ts';
import { maxAttachments } from './limits.ts';
import { fileKeysOf, deleteFiles } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

/** Who attaches what to what. */
export interface MediaClaim {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  /** In the author's order; as clients send them, so perhaps no ids at all. */
  readonly mediaIds: readonly string[];
  /** The scheduled status that becomes this one: what it has reserved may be taken. */
  readonly scheduledId?: string | undefined;
}

/**
 * Attaches files to a status and gives their rows in the author's order. What the status has already may be named
 * again, as edits do. 422 for more than four, a film or sound beside anything else (STA-06), a file that is not the
 * author's, is attached elsewhere, or is not processed yet. The status itself may be stored after this, in the same
 * transaction.
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

/** The files that a scheduled status will carry. */
export interface Reservation {
  readonly accountId: AccountId;
  readonly scheduledId: string;
  readonly mediaIds: readonly string[];
}

/** Keeps files for a scheduled status, by the rules of `claimMedia`; `claimMedia` with its id takes them later. */
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

/** Frees the files of a scheduled status that will not be posted; they go a day later unless they are posted. */
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
    throw unprocessable('Media are not found, or already used by another post');
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
    throw unprocessable('A video or a sound cannot be attached together with other files');
  }
}

/**
 * Lets go of the files of a status that is deleted. With `keepForADay` they are free again, for delete and redraft, and go
 * a day later (STA-22); without it they go at once.
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
