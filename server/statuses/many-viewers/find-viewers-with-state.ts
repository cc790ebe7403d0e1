import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { idArray } from '../../platform/database/id-array.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ConversationId, PollId, StatusId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';

/** Rows that are read in the time of one look-up. */
const rowsPerLookup = 8;

interface Args {
  /** `idArray` */
  readonly viewerIds: string;
  readonly statusIds: readonly StatusId[];
  readonly conversationIds: readonly ConversationId[];
  readonly pollIds: readonly PollId[];
}

/** What accounts do with statuses, without what only their authors can do. A viral status has very many of these rows. */
const reactionsTo = ({ statusIds, conversationIds, pollIds }: Args): Record<string, RawBuilder<unknown>> => ({
  favourited: sql`from favourites where status_id = any(${statusIds}::bigint[])`,
  reblogged: sql`from statuses
    where reblog_of_id = any(${statusIds}::bigint[]) and reblog_of_id is not null and deleted_at is null`,
  reacted: sql`from status_reactions where status_id = any(${statusIds}::bigint[])`,
  bookmarked: sql`from bookmarks where status_id = any(${statusIds}::bigint[])`,
  muted: sql`from conversation_mutes where conversation_id = any(${conversationIds}::bigint[])`,
  voted: sql`from poll_votes where poll_id = any(${pollIds}::bigint[])`,
});

/**
 * Reads the reactions of each kind, up to a bound that grows with the number of viewers, and looks the viewers up in
 * memory. Beyond the bound it looks the viewers up in the table, one by one.
 */
const viewersWithState = preparedQuery<{ account_id: AccountId }>()((db, args: Args) => {
  const reactions = Object.entries(reactionsTo(args)).map(([name, from]) => ({ rows: sql.ref(name), from }));
  const read = reactions.map(
    ({ rows, from }) => sql`${rows} as materialized (select account_id ${from} limit (select max_rows from bound))`,
  );
  const found = reactions.map(
    ({ rows, from }) => sql`
      select account_id from ${rows}
      union all select viewer.id from viewer cross join lateral (select ${from} and account_id = viewer.id limit 1) reaction
        where (select count(*) from ${rows}) = (select max_rows from bound)`,
  );
  return {
    // `is true` keeps PostgreSQL from a join, which it would plan for ten viewers.
    compile: () =>
      sql<{ account_id: AccountId }>`
        with viewer as materialized (
          select unnest(${args.viewerIds}::bigint[]) as id
        ), bound as materialized (
          select ${sql.lit(rowsPerLookup)} * count(*) + 1 as max_rows from viewer
        ), ${sql.join(read)}, active as (
          ${sql.join(found, sql` union all `)}
          union all select account_id from status_pins where status_id = any(${args.statusIds}::bigint[])
        )
        select distinct account_id from active where (account_id in (select id from viewer)) is true`.compile(db),
  };
});

/** Returns those of many viewers who have another state than the default one for one of these statuses. */
export async function findViewersWithState(
  app: App,
  viewerIds: readonly AccountId[],
  originals: readonly CachedStatus[],
): Promise<AccountId[]> {
  const rows = await viewersWithState(app, {
    viewerIds: idArray(viewerIds),
    statusIds: originals.map(({ id }) => id),
    conversationIds: originals.flatMap(({ conversationId }) => conversationId ?? []),
    pollIds: originals.flatMap(({ poll }) => poll?.id ?? []),
  });
  return rows.map(({ account_id }) => account_id);
}
