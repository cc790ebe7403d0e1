import { createHash } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { App } from '../app.ts';
import { queryUntilAborted } from './query-until-aborted.ts';
import type { ReadDatabase } from './read-database.ts';

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * Declares a query that is built once and sent as a prepared statement, planned once per connection. Its text must not
 * depend on its arguments: pass lists as arrays (`= any(${ids}::bigint[])`), and an optional bound as `(${id}::bigint
 * is null or …)` or as two queries. It reads outside of any transaction.
 */
export function preparedQuery<Row extends object>() {
  return <Args extends object>(
    build: (db: ReadDatabase, args: Args) => Compilable<Row>,
  ): ((app: App, args: Args) => Promise<Row[]>) => {
    const prepare = prepareOnce(build);
    return async (app, args) => {
      const { name, text, values } = prepare(app, args);
      app.queries.count += 1;
      const { rows } = await app.pool.query<Row>({ name, text, values });
      return rows;
    };
  };
}

/** Like `preparedQuery`. PostgreSQL cancels the statement when the signal aborts (see `queryUntilAborted`). */
export function abortableQuery<Row extends object>() {
  return <Args extends object>(
    build: (db: ReadDatabase, args: Args) => Compilable<Row>,
  ): ((app: App, args: Args, signal: AbortSignal) => Promise<Row[]>) => {
    const prepare = prepareOnce(build);
    return (app, args, signal) => queryUntilAborted<Row>(app, prepare(app, args), signal);
  };
}

function prepareOnce<Args extends object>(build: (db: ReadDatabase, args: Args) => Compilable<unknown>) {
  let statement: Statement | undefined;
  return (app: App, args: Args) => {
    const { name, text, parameters } = (statement ??= compile(build(app.db, placeholders<Args>())));
    const values = parameters.map((value) =>
      value instanceof Placeholder ? (args as Record<string, unknown>)[value.name] : value,
    );
    return { name, text, values };
  };
}

function compile(query: Compilable<unknown>): Statement {
  const { sql, parameters } = query.compile();
  return { name: createHash('sha1').update(sql).digest('base64url'), text: sql, parameters };
}

function placeholders<Args extends object>(): Args {
  return new Proxy({} as Args, { get: (_target, name) => new Placeholder(String(name)) });
}
