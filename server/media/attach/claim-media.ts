import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { HttpError, unprocessable } from '../../platform/http/http-errors.ts';
import { isId, type AccountId, type MediaId, type StatusId } from '../../platform/ids.ts';
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
export async function claimMedia(tx: Transaction, app: App, claim: MediaClaim): Promise<MediaRow[]> {
  return (await claimMediaForAll(tx, app, [claim]))[0] ?? [];
}

/** The 422 of `claimMediaForAll`, with the index of the claim that failed. */
export class MediaClaimError extends HttpError {
  override name = 'MediaClaimError';
  readonly claimIndex: number;

  constructor({ status, text, details }: HttpError, claimIndex: number) {
    super(status, text, details);
    this.claimIndex = claimIndex;
  }
}

/**
 * As `claimMedia`, for several statuses in one statement. Returns the rows of each claim. Throws `MediaClaimError` if any
 * of them fails; then the transaction must be rolled back.
 */
export async function claimMediaForAll(
  { db }: Transaction,
  _app: App,
  claims: readonly MediaClaim[],
): Promise<MediaRow[][]> {
  const files = claims.flatMap(({ mediaIds, ...claim }, index) =>
    withClaimIndex(index, () => uniqueIds(mediaIds)).map((id) => ({ ...claim, id })),
  );
  if (files.length === 0) return claims.map(() => []);
  // Two claims of one file are refused below: only one of them gets its row.
  const wanted = files.filter(({ id }) => isId(id));
  const { rows } = await sql<MediaRow>`
    with claim as materialized (
      select * from unnest(${wanted.map(({ id }) => id)}::bigint[], ${wanted.map(({ accountId }) => accountId)}::bigint[],
        ${wanted.map(({ statusId }) => statusId)}::bigint[],
        ${wanted.map(({ scheduledId }) => scheduledId ?? null)}::bigint[]
      ) as claim(media_id, account_id, status_id, scheduled_id)
    ), locked as materialized (
      select id from media_attachments
      where (id, account_id) in (select media_id, account_id from claim) order by id for update
    )
    update media_attachments media
    set status_id = claim.status_id, scheduled_id = null, draft_id = null, released_at = null
    from claim join locked on locked.id = claim.media_id
    where media.id = claim.media_id and media.account_id = claim.account_id and media.remote_url is null
      and (media.status_id = claim.status_id
        or media.status_id is null and (media.scheduled_id is null or media.scheduled_id = claim.scheduled_id))
    returning media.*`.execute(db);
  const claimed = new Map(rows.map((row) => [row.id, row]));
  return claims.map(({ statusId, mediaIds }, index) =>
    withClaimIndex(index, () => {
      const ids = uniqueIds(mediaIds);
      const own = ids.flatMap((id) => claimed.get(id as MediaId) ?? []).filter((row) => row.status_id === statusId);
      if (own.length < ids.length) throw unavailableError();
      assertAttachableTogether(own);
      return own;
    }),
  );
}

function withClaimIndex<Result>(index: number, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof HttpError ? new MediaClaimError(error, index) : error;
  }
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
  await sql`update media_attachments set scheduled_id = ${scheduledId}, draft_id = null
    where id = any(${ids}::bigint[])`.execute(tx.db);
  return rows.map((row) => ({ ...row, scheduled_id: scheduledId, draft_id: null }));
}

/** Releases the files of scheduled statuses that will not be posted. They are deleted after a day unless posted. */
export async function releaseReservedMedia(
  { db }: Transaction,
  app: App,
  ...scheduledIds: readonly string[]
): Promise<void> {
  await sql`update media_attachments set scheduled_id = null, released_at = ${app.clock.now()}
    where scheduled_id = any(${scheduledIds}::bigint[])`.execute(db);
}

async function lockAttachable(
  { db }: Transaction,
  { accountId, mediaIds }: Pick<MediaClaim, 'accountId' | 'mediaIds'>,
  isAvailable: (row: MediaRow) => boolean,
): Promise<MediaRow[]> {
  const ids = uniqueIds(mediaIds);
  if (ids.length === 0) return [];
  const { rows: found } = await sql<MediaRow>`select * from media_attachments
    where id = any(${ids.filter(isId)}::bigint[]) and account_id = ${accountId} and remote_url is null
    order by id for update`.execute(db);
  const rows = ids.flatMap((id) => found.find((row) => row.id === id) ?? []);
  if (rows.length < ids.length || !rows.every(isAvailable)) throw unavailableError();
  assertAttachableTogether(rows);
  return rows;
}

/** Returns the ids without duplicates. Throws 422 if there are too many. */
function uniqueIds(mediaIds: readonly string[]): string[] {
  const ids = [...new Set(mediaIds)];
  if (ids.length > maxAttachments) throw unprocessable('media.tooManyAttachments', { max: maxAttachments });
  return ids;
}

const unavailableError = (): HttpError => unprocessable('media.attachmentUnavailable');

function assertAttachableTogether(rows: readonly MediaRow[]): void {
  if (rows.some(({ state }) => state === 'failed')) {
    throw unprocessable('media.attachmentFailed');
  }
  if (rows.some(({ state }) => state === 'waiting')) {
    throw unprocessable('media.attachmentNotReady');
  }
  if (rows.length > 1 && rows.some(({ type }) => type === 'video' || type === 'audio')) {
    throw unprocessable('media.mixedAttachments');
  }
}

/**
 * Releases the files of deleted statuses. With `keepForADay` they can be attached again, for delete and redraft, and are
 * deleted after a day (STA-22); otherwise they are deleted at once.
 */
export async function releaseMedia(
  tx: Transaction,
  app: App,
  statusIds: readonly StatusId[],
  { keepForADay }: { keepForADay: boolean },
): Promise<void> {
  if (keepForADay) {
    await sql`update media_attachments set status_id = null, released_at = ${app.clock.now()}
      where status_id = any(${statusIds}::bigint[]) and remote_url is null`.execute(tx.db);
  }
  const { rows } = await sql<MediaRow>`delete from media_attachments where status_id = any(${statusIds}::bigint[])
    returning file_key, preview_key, source_key`.execute(tx.db);
  const keys = fileKeysOf(rows);
  if (keys.length > 0) tx.enqueue(deleteFiles({ keys }));
}
