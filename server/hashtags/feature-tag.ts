import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { validationFailed, notFound, invalidField } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type RowId, type TagId } from '../platform/ids.ts';
import { isTagName, normalizeTag } from '../text/index.ts';
import { accountTagsChanged, tagFeatured, tagUnfeatured } from './events.ts';
import { requireTagId } from './follow-tag.ts';
import { writable } from './tables.ts';

/** Maximum number of featured hashtags (reference/limits.tsv). */
export const maxFeaturedTags = 10;

/**
 * Features a hashtag on a profile (TAG-01) and returns the id of the FeaturedTag. Idempotent. Throws 422 for an invalid
 * hashtag and for more than ten.
 */
export async function featureTag(app: App, accountId: AccountId, name: string): Promise<RowId> {
  if (!isTagName(normalizeTag(name.trim()))) throw invalidField('tag', 'problems.invalid');
  return transaction(app, async (tx) => {
    const tagId = await requireTagId(tx, app, name.trim());
    // Parallel requests must not exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`featured tags ${accountId}`}, 0))`.execute(tx.db);
    const featured = await tx.db
      .selectFrom('featured_tags')
      .select(['id', 'tag_id'])
      .where('account_id', '=', accountId)
      .execute();
    const existing = featured.find((row) => row.tag_id === tagId);
    if (existing !== undefined) return existing.id;
    if (featured.length >= maxFeaturedTags) {
      throw validationFailed('hashtags.tooManyFeatured');
    }
    const now = app.clock.now();
    const id = newId<'row'>(now);
    await writable(tx.db)
      .insertInto('featured_tags')
      .values({ id, account_id: accountId, tag_id: tagId, created_at: now })
      .execute();
    tx.emit(tagFeatured({ accountId, tagId }));
    tx.emit(accountTagsChanged({ accountId }));
    return id;
  });
}

/** Removes a featured hashtag. Returns false if there was none. */
export function unfeatureTag(
  app: App,
  accountId: AccountId,
  which: { readonly id: RowId } | { readonly tagId: TagId },
): Promise<boolean> {
  return transaction(app, async (tx) => {
    const deleted = await writable(tx.db)
      .deleteFrom('featured_tags')
      .where('account_id', '=', accountId)
      .where((eb) => ('id' in which ? eb('id', '=', which.id) : eb('tag_id', '=', which.tagId)))
      .returning('tag_id')
      .executeTakeFirst();
    if (deleted === undefined) return false;
    tx.emit(tagUnfeatured({ accountId, tagId: deleted.tag_id }));
    tx.emit(accountTagsChanged({ accountId }));
    return true;
  });
}

/** Like `unfeatureTag` by the id of the FeaturedTag. Throws 404 if the account does not have it. */
export async function removeFeaturedTag(app: App, accountId: AccountId, id: RowId): Promise<void> {
  if (!(await unfeatureTag(app, accountId, { id }))) throw notFound();
}
