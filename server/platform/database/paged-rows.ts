import { sql, type Compilable, type RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import { gathered, type Asking, type ColumnType, type Columns } from './gathered.ts';
import { prepared } from './prepared.ts';
import type { ReadDatabase } from './read-database.ts';
import type { Page } from '../http/pages.ts';

/** The bounds of a page as a query takes them: `id < below and id > above`, both always set so that an index serves. */
export interface Bounds {
  readonly below: string;
  readonly above: string;
  readonly limit: number;
}

interface Listed {
  readonly id: string;
}

/** The ids of the newest and the oldest row of a page, and whether there may be older ones. */
export interface Ends {
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly more: boolean;
}

const largest = '9223372036854775807';

/**
 * A listing that is ordered by an id, as one named statement for each direction: from the newest down, or from `min_id`
 * up. `build` orders by `order` and limits by `args.limit`. The rows come newest first.
 */
export function pagedRows<Row extends object>() {
  return <Args extends object>(
    build: (db: ReadDatabase, args: Args & Bounds, order: RawBuilder<unknown>) => Compilable<Row>,
  ): ((app: App, page: Page, args: Args) => Promise<Row[]>) => {
    const down = prepared<Row>()((db, args: Args & Bounds) => build(db, args, sql`desc`));
    const up = prepared<Row>()((db, args: Args & Bounds) => build(db, args, sql`asc`));
    return (app, page, args) => readPage(app, page, { down, up, args });
  };
}

/** As `pagedRows`, for a listing that many ask for at once (`gathered`). */
export function gatheredPages<Row extends object>() {
  return <Args extends object>(
    types: { readonly [Name in keyof Args]: ColumnType },
    build: (args: Columns<Args & Bounds>, order: RawBuilder<unknown>) => RawBuilder<Row>,
  ): ((app: App, page: Page, args: Args, asking?: Asking) => Promise<Row[]>) => {
    const all = { ...types, below: 'bigint', above: 'bigint', limit: 'int' } as {
      readonly [Name in keyof (Args & Bounds)]: ColumnType;
    };
    const down = gathered<Row>()<Args & Bounds>(all, (args) => build(args, sql`desc`));
    const up = gathered<Row>()<Args & Bounds>(all, (args) => build(args, sql`asc`));
    return (app, page, args, asking) => readPage(app, page, { down, up, args, asking });
  };
}

type Read<Row, Args> = (app: App, args: Args & Bounds, asking?: Asking) => Promise<Row[]>;

async function readPage<Row, Args>(
  app: App,
  page: Page,
  { down, up, args, asking }: { down: Read<Row, Args>; up: Read<Row, Args>; args: Args; asking?: Asking | undefined },
): Promise<Row[]> {
  const bounds = { below: page.maxId ?? largest, above: page.minId ?? page.sinceId ?? '0', limit: page.limit };
  if (page.minId === undefined) return down(app, { ...args, ...bounds }, asking);
  return (await up(app, { ...args, ...bounds }, asking)).toReversed();
}

/** What the Link header says of a page of rows; an empty page upwards knows neither way. */
export function ends(page: Page, rows: readonly Listed[]): Ends {
  const more = rows.length === page.limit || (rows.length > 0 && page.minId !== undefined);
  return { first: rows[0]?.id, last: rows.at(-1)?.id, more };
}
