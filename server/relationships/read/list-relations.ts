import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, RowId } from '../../platform/ids.ts';

/** An account in a list, with the row that lists it. */
export interface ListedAccount {
  readonly id: RowId;
  readonly accountId: AccountId;
  /** When a mute expires; null for other lists. */
  readonly expires: Date | null;
}

interface Args {
  readonly owner: AccountId;
  readonly hidden: readonly AccountId[];
  readonly now: Date;
}

type Table = 'follows' | 'follow_requests' | 'blocks' | 'mutes' | 'endorsements';
type Column = 'account_id' | 'target_account_id';

/**
 * Declares a list of the accounts on the other side of `table`'s rows whose `owner` column is an account, paged by row
 * id. Leaves out suspended and deleted accounts and expired mutes. Both bounds are always set, so that deep pages use the
 * index like the first one.
 */
function createListing(table: Table, owner: Column) {
  const other = owner === 'account_id' ? 'target_account_id' : 'account_id';
  const expires = table === 'mutes' ? sql`entry.expires_at` : sql`null::timestamptz`;
  const rows = pagedQuery<ListedAccount>()<Args>((db, args, order) => ({
    compile: () =>
      sql<ListedAccount>`
        select entry.id, entry.${sql.ref(other)} as "accountId", ${expires} as "expires"
        from ${sql.table(table)} as entry join accounts on accounts.id = entry.${sql.ref(other)}
        where entry.${sql.ref(owner)} = ${args.owner}::bigint
          and entry.id < ${args.below}::bigint and entry.id > ${args.above}::bigint
          and entry.${sql.ref(other)} <> all(${args.hidden}::bigint[])
          and accounts.suspended_at is null and accounts.deleted_at is null and accounts.activated
          and coalesce(${expires} > ${args.now}::timestamptz, true)
        order by entry.id ${order} limit ${args.limit}::int`.compile(db),
  }));
  return (app: App, ownerId: AccountId, page: Page, hidden: readonly AccountId[] = []): Promise<ListedAccount[]> =>
    rows(app, page, { owner: ownerId, hidden, now: app.clock.now() });
}

/** Lists followers, newest first. */
export const listFollowers = createListing('follows', 'target_account_id');
/** Lists followed accounts, newest first. */
export const listFollowing = createListing('follows', 'account_id');
export const listFollowRequests = createListing('follow_requests', 'target_account_id');
export const listBlocks = createListing('blocks', 'account_id');
export const listMutes = createListing('mutes', 'account_id');
export const listEndorsements = createListing('endorsements', 'account_id');
