import { accountTagsChanged } from './events.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { ensureTags } from '../tags/index.ts';
import { maxFeaturedTags } from './feature-tag.ts';

/** Replaces the featured hashtags of a remote account; ten at most. */
export function storeRemoteFeaturedTags(app: App, accountId: AccountId, names: readonly string[]): Promise<void> {
  return transaction(app, async (tx) => {
    const now = app.clock.now();
    await sql`select pg_advisory_xact_lock(hashtextextended(${`featured tags ${accountId}`}, 0))`.execute(tx.db);
    const tagIdsByName = await ensureTags(tx, names.slice(0, maxFeaturedTags), now);
    const tagIds = [...new Set(tagIdsByName.values())];
    await sql`
      with deleted as (
        delete from featured_tags where account_id = ${accountId}::bigint and tag_id <> all(${tagIds}::bigint[])
      )
      insert into featured_tags (id, account_id, tag_id, created_at)
      select tag.id, ${accountId}::bigint, tag.tag_id, ${now}
      from unnest(${tagIds.map(() => newId<'row'>(now))}::bigint[], ${tagIds}::bigint[]) as tag(id, tag_id)
      on conflict (account_id, tag_id) do nothing`.execute(tx.db);
    tx.emit(accountTagsChanged({ accountId }));
  });
}
