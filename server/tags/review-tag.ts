import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { TagId } from '../platform/ids.ts';
import { tagReviewed } from './events.ts';

/** What staff decide about a hashtag; absent parts stay. */
export interface TagDecision {
  readonly displayName?: string | undefined;
  readonly usable?: boolean | undefined;
  /** Shown in search and suggestions. */
  readonly listable?: boolean | undefined;
  readonly trendable?: boolean | undefined;
}

/** Stores a decision of staff and marks the hashtag as reviewed. Throws 404 for an unknown one. */
export async function reviewTag(
  { db, emit }: Transaction,
  app: App,
  id: TagId,
  { displayName, usable, listable, trendable }: TagDecision,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('tags')
    .set({
      reviewed_at: app.clock.now(),
      ...(displayName !== undefined && { display_name: displayName }),
      ...(usable !== undefined && { usable }),
      ...(listable !== undefined && { listable }),
      ...(trendable !== undefined && { trendable }),
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound();
  emit(tagReviewed({ tagId: id }));
}

/** Marks hashtags as waiting for a review by staff. */
export async function markReviewRequested({ db }: Transaction, app: App, ids: readonly TagId[]): Promise<void> {
  await db
    .updateTable('tags')
    .set({ requested_review_at: app.clock.now() })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}
