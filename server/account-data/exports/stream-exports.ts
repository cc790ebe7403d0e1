import { Readable } from 'node:stream';
import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { type AccountId, noId, type RowId } from '../../platform/ids.ts';
import { formatCsv } from '../../text/csv/index.ts';
import type { ExportCounts, ExportType } from './schema.ts';

/** A row of an export, in its order. */
interface ExportedRow {
  readonly id: RowId;
  readonly values: readonly (string | boolean)[];
}

interface Format {
  readonly columns: readonly string[];
  /** Whether the file begins with the names of the columns, as Mastodon's does. */
  readonly hasHeader: boolean;
  /** Selects `id` and the columns `values` of the rows after an id. */
  readonly rows: (app: App, accountId: AccountId, after: RowId) => RawBuilder<ExportedRow>;
}

/** Rows that are read at once. */
const pageSize = 1_000;

const address = (app: App) => sql`a.username || '@' || coalesce(a.domain, ${app.config.domain})`;

/** Selects addresses and more columns. `entries`: joins the table `entry` with the accounts `a`. */
const addresses =
  (entries: (owner: RawBuilder<AccountId>) => RawBuilder<unknown>, more: RawBuilder<unknown> = sql``) =>
  (app: App, accountId: AccountId, after: RowId) =>
    sql<ExportedRow>`
    select entry.id, jsonb_build_array(${address(app)} ${more}) as values
    ${entries(sql`${accountId}::bigint`)} and entry.id > ${after}::bigint and a.deleted_at is null
    order by entry.id limit ${pageSize}`;

/** The files of Mastodon, so that other servers import them. */
const formats: Readonly<Record<ExportType, Format>> = {
  following: {
    columns: ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
    hasHeader: true,
    rows: addresses(
      (owner) =>
        sql`from follows entry join accounts a on a.id = entry.target_account_id where entry.account_id = ${owner}`,
      sql`, entry.show_reblogs, entry.notify, coalesce(array_to_string(entry.languages, ', '), '')`,
    ),
  },
  followers: {
    columns: ['Account address'],
    hasHeader: true,
    rows: addresses(
      (owner) =>
        sql`from follows entry join accounts a on a.id = entry.account_id where entry.target_account_id = ${owner}`,
    ),
  },
  lists: {
    columns: ['List name', 'Account address'],
    hasHeader: false,
    rows: (app, accountId, after) => sql<ExportedRow>`
      select entry.id, jsonb_build_array(l.title, ${address(app)}) as values
      from lists l join list_accounts entry on entry.list_id = l.id join accounts a on a.id = entry.account_id
      where l.account_id = ${accountId}::bigint and entry.id > ${after}::bigint and a.deleted_at is null
      order by entry.id limit ${pageSize}`,
  },
  blocks: {
    columns: ['Account address'],
    hasHeader: false,
    rows: addresses(
      (owner) =>
        sql`from blocks entry join accounts a on a.id = entry.target_account_id where entry.account_id = ${owner}`,
    ),
  },
  mutes: {
    columns: ['Account address', 'Hide notifications'],
    hasHeader: true,
    rows: addresses(
      (owner) =>
        sql`from mutes entry join accounts a on a.id = entry.target_account_id where entry.account_id = ${owner}`,
      sql`, entry.hide_notifications`,
    ),
  },
  domain_blocks: {
    columns: ['Domain'],
    hasHeader: false,
    rows: (_app, accountId, after) => sql<ExportedRow>`
      select id, jsonb_build_array(domain) as values from account_domain_blocks
      where account_id = ${accountId}::bigint and id > ${after}::bigint order by id limit ${pageSize}`,
  },
  bookmarks: {
    columns: ['URI'],
    hasHeader: false,
    rows: (_app, accountId, after) => sql<ExportedRow>`
      select b.id, jsonb_build_array(s.uri) as values from bookmarks b join statuses s on s.id = b.status_id
      where b.account_id = ${accountId}::bigint and b.id > ${after}::bigint order by b.id limit ${pageSize}`,
  },
};

/** Returns an export as CSV. Reads a page when the client has taken the one before. */
export function streamExport(app: App, accountId: AccountId, type: ExportType): Readable {
  const { columns, hasHeader, rows: select } = formats[type];
  return Readable.from(
    (async function* pages() {
      for (let after: RowId | undefined = noId, header = hasHeader; after !== undefined; header = false) {
        const { rows } = await select(app, accountId, after).execute(app.db);
        yield formatCsv(
          columns,
          rows.map(({ values }) => values),
          { header },
        );
        after = rows.length < pageSize ? undefined : rows.at(-1)?.id;
      }
    })(),
  );
}

/** Counts the rows of each export. */
export async function countExports({ db }: App, accountId: AccountId): Promise<ExportCounts> {
  const owner = sql`${accountId}::bigint`;
  const { rows } = await sql<ExportCounts>`
    select coalesce(stats.following_count, 0) as following, coalesce(stats.followers_count, 0) as followers,
      (select count(*)::int from lists l join list_accounts m on m.list_id = l.id where l.account_id = ${owner}) as lists,
      (select count(*)::int from blocks where account_id = ${owner}) as blocks,
      (select count(*)::int from mutes where account_id = ${owner}) as mutes,
      (select count(*)::int from account_domain_blocks where account_id = ${owner}) as domain_blocks,
      (select count(*)::int from bookmarks where account_id = ${owner}) as bookmarks
    from (select) as one left join account_stats stats on stats.account_id = ${owner}`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('a query for one row returned none');
  return counts;
}
