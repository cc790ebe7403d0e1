import { sql, type RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import { Batcher, type BatchEntry } from '../batching/batcher.ts';
import { abortableQuery, preparedQuery } from './prepared-query.ts';
import { isStatementCancelled } from './query-with-timeout.ts';
import type { ReadDatabase } from './read-database.ts';
import { perDatabase } from '../replicas/readers.ts';
import { DatabaseUnavailable } from '../wire/database-unavailable.ts';

/** PostgreSQL types of arguments: those that can be elements of an array. */
export type ColumnType = 'bigint' | 'int' | 'boolean' | 'text';

/** The arguments as SQL, for `build`. */
export type Columns<Args> = { readonly [Name in keyof Args]: RawBuilder<unknown> };

/** A larger batch would make its first query wait for its last. */
const maxBatchSize = 32;

/** Queries of a slow batch that are retried at a time. */
const retryLaneCount = 2;
/** Maximum time of one of them, and of all. */
const maxRetryMs = 2_000;
const maxRetriesMs = 10_000;

interface BatchOptions {
  /** Maximum number of queries in one statement; fewer where results are long. */
  readonly batchSize?: number;
}

export interface QueryOptions {
  /** Runs on its own, so that a slow query does not delay others. */
  readonly unbatched?: boolean;
}

/**
 * Declares a query that many requests make at once: those of one turn of the event loop share a statement, which costs
 * little more than one of them alone. `types` are the types of the arguments; `build` returns the query of one request,
 * which runs `lateral` and keeps its order. Like `preparedQuery`, it reads outside of any transaction. If the statement
 * fails, each query is retried alone. Arrays cannot be elements of an array: pass lists as text (`joinList`).
 */
export function batchedQuery<Row extends object>() {
  return <Args extends object>(
    types: ArgumentTypes<Args>,
    build: BuildQuery<Args, Row>,
    { batchSize = maxBatchSize }: BatchOptions = {},
  ): BatchedQuery<Args, Row> => {
    const statement: BatchStatement<Args, Row> = { types, ...prepareBatch(types, build) };
    const run = (app: App, batch: readonly BatchEntry<Args, Row[]>[]) => runBatch(app, batch, statement);
    const batcherOf = perDatabase(
      (app) =>
        new Batcher<Args, Row[]>({ maxBatchSize: batchSize, isSequential: false, run: (batch) => run(app, batch) }),
    );
    return (app, args, { unbatched = false } = {}) => {
      if (!unbatched) return batcherOf(app).add(args);
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
      void run(app, [{ item: args, resolve, reject }]);
      return promise;
    };
  };
}

interface BatchStatement<Args, Row> {
  readonly types: ArgumentTypes<Args>;
  readonly execute: (app: App, columns: ColumnValues) => Promise<IndexedRow<Row>[]>;
  readonly executeUntilAborted: (app: App, columns: ColumnValues, signal: AbortSignal) => Promise<IndexedRow<Row>[]>;
}

type ColumnValues = Record<string, unknown[]>;

async function runBatch<Args, Row>(
  app: App,
  batch: readonly BatchEntry<Args, Row[]>[],
  statement: BatchStatement<Args, Row>,
): Promise<void> {
  try {
    const results: Row[][] = batch.map(() => []);
    for (const row of await statement.execute(app, argumentColumns(statement.types, batch)))
      results[row.request_index - 1]?.push(row);
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? []);
  } catch (error) {
    const isPermanent = batch.length === 1 || error instanceof DatabaseUnavailable;
    if (isPermanent) for (const { reject } of batch) reject(error);
    else if (isStatementCancelled(error)) await retrySlowBatch(app, batch, statement);
    else await Promise.all(batch.map((entry) => runBatch(app, [entry], statement)));
  }
}

/**
 * Retries each query of a batch that took too long. One of them may be slow every time, so they run a few at a time, for
 * a short time, so that they leave most connections to others.
 */
async function retrySlowBatch<Args, Row>(
  app: App,
  batch: readonly BatchEntry<Args, Row[]>[],
  statement: BatchStatement<Args, Row>,
): Promise<void> {
  const waiting = [...batch];
  const end = AbortSignal.timeout(maxRetriesMs);
  const runNext = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const signal = AbortSignal.any([end, AbortSignal.timeout(maxRetryMs)]);
      const columns = argumentColumns(statement.types, [entry]);
      await statement
        .executeUntilAborted(app, columns, signal)
        .then(entry.resolve, (error: Error) => entry.reject(signal.aborted ? new DatabaseUnavailable(error) : error));
    }
  };
  await Promise.all(Array.from({ length: retryLaneCount }, runNext));
}

/** Returns the rows of one query, in its order. */
export type BatchedQuery<Args, Row> = (app: App, args: Args, options?: QueryOptions) => Promise<Row[]>;

type ArgumentTypes<Args> = { readonly [Name in keyof Args]: ColumnType };
/** A row with the place of its query in the batch, from 1. */
type IndexedRow<Row> = Row & { readonly request_index: number };
type BuildQuery<Args, Row> = (args: Columns<Args>) => RawBuilder<Row>;

/** Builds the statement of a batch: each argument becomes an array with one element per query. */
function prepareBatch<Args extends object, Row extends object>(
  types: ArgumentTypes<Args>,
  build: BuildQuery<Args, Row>,
) {
  const names = argumentNames(types);
  const refs = Object.fromEntries(names.map((name) => [name, sql.ref(`request.${name}`)])) as Columns<Args>;
  const buildBatch = (db: ReadDatabase, columns: ColumnValues) => ({
    compile: () =>
      sql<IndexedRow<Row>>`
        select request.request_index::int as request_index, result.*
        from unnest(${sql.join(names.map((name) => sql`${columns[name]}::${sql.raw(types[name])}[]`))}) with ordinality
          as request(${sql.join([...names, 'request_index'].map((name) => sql.ref(name)))})
        cross join lateral (${build(refs)} offset 0) result`.compile(db),
  });
  return {
    execute: preparedQuery<IndexedRow<Row>>()(buildBatch),
    executeUntilAborted: abortableQuery<IndexedRow<Row>>()(buildBatch),
  };
}

function argumentColumns<Args, Row>(
  types: ArgumentTypes<Args>,
  batch: readonly BatchEntry<Args, Row[]>[],
): Record<string, unknown[]> {
  return Object.fromEntries(argumentNames(types).map((name) => [name, batch.map(({ item }) => item[name])]));
}

const argumentNames = <Args>(types: ArgumentTypes<Args>) => Object.keys(types) as (keyof Args & string)[];

/** Encodes a list as an argument of `batchedQuery`. */
export const joinList = (items: readonly string[]): string => items.join(',');

/** Decodes a list of `joinList` to an array of `type`; null stays null. */
export const splitList = (list: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown> =>
  sql`string_to_array(${list}, ',')::${sql.raw(type)}[]`;
