import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, selectPage } from '../../platform/database/paged-query.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { type AccountId, noId } from '../../platform/ids.ts';
import { formatCsv } from '../../text/csv/index.ts';
import { shownColumns, type SeveranceRow } from './present-severances.ts';
import type { SeveranceId } from './schema.ts';

/** Returns a page of what an account lost, newest first. */
export const pageOfSeverances = pagedQuery<SeveranceRow>()<{ accountId: AccountId }>((db, args, order) =>
  selectPage(
    db.selectFrom('relationship_severances').select(shownColumns).where('account_id', '=', args.accountId),
    args,
    order,
  ),
);

/** Throws 404 unless the severance belongs to the account and its follows are stored. */
async function requireStoredSeverance({ db }: App, accountId: AccountId, id: SeveranceId): Promise<void> {
  await db
    .selectFrom('relationship_severances')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('purged', '=', false)
    .executeTakeFirstOrThrow(() => notFound());
}

/**
 * Returns the follows that an account lost as CSV, in the format of exports of followed accounts. Throws 404 if the
 * severance is of another account, or its follows are not stored.
 */
export async function exportLostFollowing(app: App, accountId: AccountId, id: SeveranceId): Promise<Readable> {
  await requireStoredSeverance(app, accountId, id);
  return exportFollows(app, id, false);
}

/** As `exportLostFollowing`, for the followers. */
export async function exportLostFollowers(app: App, accountId: AccountId, id: SeveranceId): Promise<Readable> {
  await requireStoredSeverance(app, accountId, id);
  return exportFollows(app, id, true);
}

interface LostFollow {
  readonly id: AccountId;
  readonly acct: string;
  readonly show_reblogs: boolean;
  readonly notify: boolean;
  readonly languages: string[] | null;
}

const pageSize = 1_000;

const lostFollows = preparedQuery<LostFollow>()(
  (db, args: { severanceId: SeveranceId; isFollower: boolean; after: AccountId }) =>
    db
      .selectFrom('severed_follows as lost')
      .innerJoin('accounts', 'accounts.id', 'lost.account_id')
      .select(['accounts.id', 'lost.show_reblogs', 'lost.notify', 'lost.languages'])
      .select(sql<string>`accounts.username || coalesce('@' || accounts.domain, '')`.as('acct'))
      .where('lost.severance_id', '=', args.severanceId)
      .where('lost.is_follower', '=', args.isFollower)
      .where('lost.account_id', '>', args.after)
      .where('accounts.deleted_at', 'is', null)
      .orderBy('lost.account_id')
      .limit(pageSize),
);

const followingColumns = ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'];

/** Reads a page when the client has taken the one before. */
function exportFollows(app: App, severanceId: SeveranceId, isFollower: boolean): Readable {
  const toRow = ({ acct, show_reblogs, notify, languages }: LostFollow) =>
    isFollower ? [acct] : [acct, show_reblogs, notify, languages?.join(', ') ?? ''];
  const columns = isFollower ? followingColumns.slice(0, 1) : followingColumns;
  return Readable.from(
    (async function* pages() {
      for (let after: AccountId | undefined = noId, header = true; after !== undefined; header = false) {
        const rows: LostFollow[] = await lostFollows(app, { severanceId, isFollower, after });
        yield formatCsv(columns, rows.map(toRow), { header });
        after = rows.length < pageSize ? undefined : rows.at(-1)?.id;
      }
    })(),
  );
}
