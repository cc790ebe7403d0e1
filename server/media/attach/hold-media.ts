import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { isId, type AccountId } from '../../platform/ids.ts';

/** The files of a draft. */
export interface DraftMedia {
  readonly accountId: AccountId;
  readonly draftId: string;
  /** As clients send them: they may not be valid ids. */
  readonly mediaIds: readonly string[];
}

/**
 * Holds exactly these files for a draft, so that they are not cleaned up. Releases others that it held: they are deleted
 * after a day unless posted. Returns the ids of the files that it cannot hold: those that do not exist, are not the
 * account's, are attached or scheduled, or belong to another draft.
 */
export async function holdDraftMedia(
  { db }: Transaction,
  app: App,
  { accountId, draftId, mediaIds }: DraftMedia,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with locked as materialized (
      select id from media_attachments
      where account_id = ${accountId} and remote_url is null
        and (draft_id = ${draftId} or id = any(${mediaIds.filter(isId)}::bigint[]))
      order by id for update
    )
    update media_attachments media set
      draft_id = case when media.id = any(${mediaIds.filter(isId)}::bigint[]) then ${draftId}::bigint end,
      released_at = case when media.id = any(${mediaIds.filter(isId)}::bigint[]) then media.released_at
        else ${app.clock.now()} end
    from locked
    where media.id = locked.id and media.status_id is null and media.scheduled_id is null
      and (media.draft_id is null or media.draft_id = ${draftId})
    returning media.id`.execute(db);
  const held = new Set(rows.map(({ id }) => id));
  return mediaIds.filter((id) => !held.has(id));
}

/** Releases the files of a draft. They are deleted after a day unless posted. */
export async function releaseDraftMedia({ db }: Transaction, app: App, draftId: string): Promise<void> {
  await sql`update media_attachments set draft_id = null, released_at = ${app.clock.now()}
    where draft_id = ${draftId}`.execute(db);
}

/** Returns the number of files that all drafts of an account hold. */
export async function countDraftMedia({ db }: Transaction, accountId: AccountId): Promise<number> {
  const { count } = await db
    .selectFrom('media_attachments')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('draft_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
