import { sql, type Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { TagId } from '../platform/ids.ts';
import { recordStaffUpdate } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { tagReviewed } from './events.ts';
import { writable, type TagTables } from './tables.ts';

type Tags = TagTables['tags'];

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
  tx: Transaction,
  app: App,
  staff: Staff,
  { id, displayName, usable, listable, trendable }: TagDecision & { readonly id: TagId },
): Promise<void> {
  const { db, emit } = tx;
  const before = await db
    .selectFrom('tags')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
  const changes = {
    reviewed_at: app.clock.now(),
    ...(displayName !== undefined && { display_name: displayName }),
    ...(usable !== undefined && { usable }),
    ...(listable !== undefined && { listable }),
    ...(trendable !== undefined && { trendable }),
  };
  await writable(db).updateTable('tags').set(changes).where('id', '=', id).execute();
  emit(tagReviewed({ tagId: id }));
  recordStaffUpdate(tx, staff, {
    target: 'hashtag',
    verb: 'review',
    id,
    label: `#${before.display_name}`,
    before: tagDetails(before),
    after: tagDetails({ ...before, ...changes }),
  });
}

const tagDetails = ({ display_name, usable, listable, trendable, reviewed_at: reviewedAt }: Selectable<Tags>) => ({
  display_name,
  usable,
  listable,
  trendable,
  reviewed: reviewedAt !== null,
});

/** Marks hashtags as waiting for a review by staff. */
export async function markReviewRequested({ db }: Transaction, app: App, ids: readonly TagId[]): Promise<void> {
  await writable(db)
    .updateTable('tags')
    .set({ requested_review_at: app.clock.now() })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}
