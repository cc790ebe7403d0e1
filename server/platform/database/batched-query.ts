import { sql, type RawBuilder } from 'kysely';
import { perApp, type App } from '../app.ts';
import { preparedQuery } from './prepared-query.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

/** Types of PostgreSQL that arguments may have: those that can be the elements of an array. */
export type ColumnType = 'bigint' | 'int' | 'boolean' | 'text';

/** The arguments as `build` puts them into its query. */
export type Columns<Args> = { readonly [Name in keyof Args]: RawBuilder<unknown> };

interface PendingQuery<Args, Row> {
  readonly args: Args;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/** More would make the first wait for the last. */
const maxBatchSize = 32;

interface BatchOptions {
  /** How many may be asked together, when answers are long. */
  readonly batchSize?: number;
}

export interface QueryOptions {
  /** For what may take long: nobody has to wait for somebody else's. */
  readonly unbatched?: boolean;
}

/**
 * A statement for what many requests ask of the database at the same moment: what is asked in one turn of the event loop
 * is one statement, which costs PostgreSQL and this process little more than one of them alone. `types` are those of the
 * arguments; `build` gives the query for one of those who ask, which stands `lateral`: its rows come in its order. Like
 * `prepared`, it reads outside of any transaction. When it fails, each is asked alone, so that nobody gets the error of
 * another. Lists cannot be elements of an array: they come as text (`listOf`).
 */
export function batchedQuery<Row extends object>() {
  return <Args extends object>(
    types: ArgumentTypes<Args>,
    build: BuildQuery<Args, Row>,
    { batchSize = maxBatchSize }: BatchOptions = {},
  ): BatchedQuery<Args, Row> => {
    const execute = prepareBatch(types, build);
    const queueOf = perApp(() => [] as PendingQuery<Args, Row>[]);

    const runBatch = async (app: App, waiting: readonly PendingQuery<Args, Row>[]): Promise<void> => {
      try {
        const results: Row[][] = waiting.map(() => []);
        for (const row of await execute(app, argumentColumns(types, waiting)))
          results[row.request_index - 1]?.push(row);
        for (const [at, { resolve }] of waiting.entries()) resolve(results[at] ?? []);
      } catch (error) {
        const isPermanent = waiting.length === 1 || error instanceof DatabaseUnavailable;
        if (isPermanent) for (const { reject } of waiting) reject(error);
        else await Promise.all(waiting.map((each) => runBatch(app, [each])));
      }
    };

    const flush = (app: App): void => {
      const queue = queueOf(app);
      while (queue.length > 0) void runBatch(app, queue.splice(0, batchSize));
    };

    return (app, args, { unbatched = false } = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
      if (unbatched) {
        void runBatch(app, [{ args, resolve, reject }]);
        return promise;
      }
      const queue = queueOf(app);
      queue.push({ args, resolve, reject });
      if (queue.length === 1) setImmediate(() => flush(app));
      return promise;
    };
  };
}

/** Asks for one; the rows come in the order of the query. */
export type BatchedQuery<Args, Row> = (app: App, args: Args, asking?: QueryOptions) => Promise<Row[]>;

type ArgumentTypes<Args> = { readonly [Name in keyof Args]: ColumnType };
type BuildQuery<Args, Row> = (args: Columns<Args>) => RawBuilder<Row>;

/** The statement for all who ask; its arguments are one array for each of theirs. */
function prepareBatch<Args extends object, Row extends object>(
  types: ArgumentTypes<Args>,
  build: BuildQuery<Args, Row>,
) {
  type Result = Row & { readonly request_index: number };
  const names = argumentNames(types);
  const refs = Object.fromEntries(names.map((name) => [name, sql.ref(`request.${name}`)])) as Columns<Args>;
  return preparedQuery<Result>()((db, columns: Record<string, unknown[]>) => ({
    compile: () =>
      sql<Result>`
        select request.request_index::int as request_index, result.*
        from unnest(${sql.join(names.map((name) => sql`${columns[name]}::${sql.raw(types[name])}[]`))}) with ordinality
          as request(${sql.join([...names, 'request_index'].map((name) => sql.ref(name)))})
        cross join lateral (${build(refs)} offset 0) result`.compile(db),
  }));
}

function argumentColumns<Args, Row>(
  types: ArgumentTypes<Args>,
  pending: readonly PendingQuery<Args, Row>[],
): Record<string, unknown[]> {
  return Object.fromEntries(argumentNames(types).map((name) => [name, pending.map(({ args }) => args[name])]));
}

const argumentNames = <Args>(types: ArgumentTypes<Args>) => Object.keys(types) as (keyof Args & string)[];

/** A list as an argument of `gathered`. */
export const joinList = (items: readonly string[]): string => items.join(',');

/** What `listOf` made, as an array of `type`; null stays null. */
export const splitList = (list: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown> =>
  sql`string_to_array(${list}, ',')::${sql.raw(type)}[]`;
