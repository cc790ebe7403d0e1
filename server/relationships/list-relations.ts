import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, RowId } from '../platform/ids.ts';

/** One line of a listing: the row that it stands on, and the account it shows. */
export interface ListedAccount {
  readonly id: RowId;
  readonly accountId: AccountId;
  /** Mutes only: when it ends by itself. */
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
 * A listing of the accounts on the other side of `table`'s rows whose `owner` column names an account, paged by the ids
 * of the rows. Suspended and deleted accounts are left out, and so are mutes that are over. Both bounds are always
 * given, so that deep pages are found through the index as fast as the first.
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

/** Who follows an account, the newest first. */
export const listFollowers = createListing('follows', 'target_account_id');
/** Whom an account follows, the newest first. */
export const listFollowing = createListing('follows', 'account_id');
/** Who asks to follow an account. */
export const listFollowRequests = createListing('follow_requests', 'target_account_id');
export const listBlocks = createListing('blocks', 'account_id');
export const listMutes = createListing('mutes', 'account_id');
/** Whom an account recommends on its profile. */
export const listEndorsements = createListing('endorsements', 'account_id');
