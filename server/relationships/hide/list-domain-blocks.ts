import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery } from '../../platform/database/paged-query.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, RowId } from '../../platform/ids.ts';

/** A domain block in a list. */
export interface BlockedDomain {
  readonly id: RowId;
  readonly domain: string;
}

const selectDomainBlocks = pagedQuery<BlockedDomain>()<{ accountId: AccountId }>((db, args, order) =>
  db
    .selectFrom('account_domain_blocks')
    .select(['id', 'domain'])
    .where('account_id', '=', args.accountId)
    .where('id', '<', sql<RowId>`${args.below}::bigint`)
    .where('id', '>', sql<RowId>`${args.above}::bigint`)
    .orderBy(sql`id ${order}`)
    .limit(sql<number>`${args.limit}::int`),
);

/** Returns a page of an account's domain blocks, newest first. */
export const listDomainBlocks = (app: App, accountId: AccountId, page: Page): Promise<BlockedDomain[]> =>
  selectDomainBlocks(app, page, { accountId });

interface DomainBlockPreview {
  readonly following_count: number;
  readonly followers_count: number;
}

const countFollowsWithDomain = preparedQuery<DomainBlockPreview>()(
  (db, { accountId, domain }: { accountId: AccountId; domain: string }) => ({
    compile: () =>
      sql<DomainBlockPreview>`
      select
        (select count(*)::int from follows join accounts on accounts.id = target_account_id
          where account_id = ${accountId}::bigint and accounts.domain = ${domain}::text) as following_count,
        (select count(*)::int from follows join accounts on accounts.id = account_id
          where target_account_id = ${accountId}::bigint and accounts.domain = ${domain}::text) as followers_count`.compile(
        db,
      ),
  }),
);

/** Counts the follows that a block of this domain would end, in each direction. */
export async function previewDomainBlock(app: App, accountId: AccountId, domain: string): Promise<DomainBlockPreview> {
  const [preview] = await countFollowsWithDomain(app, { accountId, domain });
  return preview ?? { following_count: 0, followers_count: 0 };
}
