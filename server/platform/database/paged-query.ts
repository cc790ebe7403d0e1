import { sql, type Compilable, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { App } from '../app.ts';
import { batchedQuery, type QueryOptions, type ColumnType, type Columns } from './batched-query.ts';
import { preparedQuery } from './prepared-query.ts';
import type { ReadDatabase } from './read-database.ts';
import type { Page } from '../http/pages.ts';

/** Bounds of a page: `id < below and id > above`. Both are always set, so that an index is used. */
export interface PageBounds {
  readonly below: string;
  readonly above: string;
  readonly limit: number;
}

interface ListedRow {
  readonly id: string;
}

/** Ids of the newest and oldest row of a page, and whether there may be older ones. */
export interface PageEnds {
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly more: boolean;
}

const maxBigint = '9223372036854775807';

/**
 * Declares a listing ordered by id, as one prepared statement per direction: newest first, or upwards from `min_id`.
 * `build` sorts by `order` and limits by `args.limit`. Returns rows newest first.
 */
export function pagedQuery<Row extends object>() {
  return <Args extends object>(
    build: (db: ReadDatabase, args: Args & PageBounds, order: RawBuilder<unknown>) => Compilable<Row>,
  ): ((app: App, page: Page, args: Args) => Promise<Row[]>) => {
    const down = preparedQuery<Row>()((db, args: Args & PageBounds) => build(db, args, sql`desc`));
    const up = preparedQuery<Row>()((db, args: Args & PageBounds) => build(db, args, sql`asc`));
    return (app, page, args) => loadPage(app, page, { down, up, args });
  };
}

/** Adds the bounds, the order and the limit of a page to a query of one table. */
export function selectPage<Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  { below, above, limit }: PageBounds,
  order: RawBuilder<unknown>,
): SelectQueryBuilder<Tables, Names, Row> {
  return query
    .where(sql<boolean>`id < ${below}::bigint and id > ${above}::bigint`)
    .orderBy(sql`id ${order}`)
    .limit(sql<number>`${limit}`);
}

/** As `pagedQuery`, with `batchedQuery`. */
export function batchedPagedQuery<Row extends object>() {
  return <Args extends object>(
    types: { readonly [Name in keyof Args]: ColumnType },
    build: (args: Columns<Args & PageBounds>, order: RawBuilder<unknown>) => RawBuilder<Row>,
  ): ((app: App, page: Page, args: Args, options?: QueryOptions) => Promise<Row[]>) => {
    const all = { ...types, below: 'bigint', above: 'bigint', limit: 'int' } as {
      readonly [Name in keyof (Args & PageBounds)]: ColumnType;
    };
    const down = batchedQuery<Row>()<Args & PageBounds>(all, (args) => build(args, sql`desc`));
    const up = batchedQuery<Row>()<Args & PageBounds>(all, (args) => build(args, sql`asc`));
    return (app, page, args, options) => loadPage(app, page, { down, up, args, options });
  };
}

type RunQuery<Row, Args> = (app: App, args: Args & PageBounds, options?: QueryOptions) => Promise<Row[]>;

async function loadPage<Row, Args>(
  app: App,
  page: Page,
  {
    down,
    up,
    args,
    options,
  }: { down: RunQuery<Row, Args>; up: RunQuery<Row, Args>; args: Args; options?: QueryOptions | undefined },
): Promise<Row[]> {
  const bounds = { below: page.maxId ?? maxBigint, above: page.minId ?? page.sinceId ?? '0', limit: page.limit };
  if (page.minId === undefined) return down(app, { ...args, ...bounds }, options);
  return (await up(app, { ...args, ...bounds }, options)).toReversed();
}

/** Returns the ends of a page for the Link header. An empty page upwards has neither. */
export function pageEnds(page: Page, rows: readonly ListedRow[]): PageEnds {
  const hasOlder = rows.length === page.limit || (rows.length > 0 && page.minId !== undefined);
  return { first: rows[0]?.id, last: rows.at(-1)?.id, more: hasOlder };
}
