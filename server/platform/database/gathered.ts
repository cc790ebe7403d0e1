import { sql, type RawBuilder } from 'kysely';
import { perApp, type App } from '../app.ts';
import { prepared } from './prepared.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** Types of PostgreSQL that arguments may have: those that can be the elements of an array. */
export type ColumnType = 'bigint' | 'int' | 'boolean' | 'text';

/** The arguments as `build` puts them into its query. */
export type Columns<Args> = { readonly [Name in keyof Args]: RawBuilder<unknown> };

interface Waiting<Args, Row> {
  readonly args: Args;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/** More would make the first wait for the last. */
const mostTogether = 32;

interface Limits {
  /** How many may be asked together, when answers are long. */
  readonly together?: number;
}

export interface Asking {
  /** For what may take long: nobody has to wait for somebody else's. */
  readonly alone?: boolean;
}

/**
 * A statement for what many requests ask of the database at the same moment: what is asked in one turn of the event loop
 * is one statement, which costs PostgreSQL and this process little more than one of them alone. `types` are those of the
 * arguments; `build` gives the query for one of those who ask, which stands `lateral`: its rows come in its order. Like
 * `prepared`, it reads outside of any transaction. When it fails, each is asked alone, so that nobody gets the error of
 * another. Lists cannot be elements of an array: they come as text (`listOf`).
 */
export function gathered<Row extends object>() {
  return <Args extends object>(
    types: Types<Args>,
    build: Build<Args, Row>,
    { together = mostTogether }: Limits = {},
  ): Ask<Args, Row> => {
    const send = statementOf(types, build);
    const queueOf = perApp(() => [] as Waiting<Args, Row>[]);

    const answer = async (app: App, waiting: readonly Waiting<Args, Row>[]): Promise<void> => {
      try {
        const answers: Row[][] = waiting.map(() => []);
        for (const row of await send(app, columnsOf(types, waiting))) answers[row.asked_place - 1]?.push(row);
        for (const [at, { resolve }] of waiting.entries()) resolve(answers[at] ?? []);
      } catch (error) {
        const hopeless = waiting.length === 1 || error instanceof DatabaseUnavailable;
        if (hopeless) for (const { reject } of waiting) reject(error);
        else await Promise.all(waiting.map((each) => answer(app, [each])));
      }
    };

    const flush = (app: App): void => {
      const queue = queueOf(app);
      while (queue.length > 0) void answer(app, queue.splice(0, together));
    };

    return (app, args, { alone = false } = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
      if (alone) {
        void answer(app, [{ args, resolve, reject }]);
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
export type Ask<Args, Row> = (app: App, args: Args, asking?: Asking) => Promise<Row[]>;

type Types<Args> = { readonly [Name in keyof Args]: ColumnType };
type Build<Args, Row> = (args: Columns<Args>) => RawBuilder<Row>;

/** The statement for all who ask; its arguments are one array for each of theirs. */
function statementOf<Args extends object, Row extends object>(types: Types<Args>, build: Build<Args, Row>) {
  type Answer = Row & { readonly asked_place: number };
  const names = namesOf(types);
  const refs = Object.fromEntries(names.map((name) => [name, sql.ref(`asked.${name}`)])) as Columns<Args>;
  return prepared<Answer>()((db, columns: Record<string, unknown[]>) => ({
    compile: () =>
      sql<Answer>`
        select asked.asked_place::int as asked_place, answer.*
        from unnest(${sql.join(names.map((name) => sql`${columns[name]}::${sql.raw(types[name])}[]`))}) with ordinality
          as asked(${sql.join([...names, 'asked_place'].map((name) => sql.ref(name)))})
        cross join lateral (${build(refs)} offset 0) answer`.compile(db),
  }));
}

function columnsOf<Args, Row>(types: Types<Args>, waiting: readonly Waiting<Args, Row>[]): Record<string, unknown[]> {
  return Object.fromEntries(namesOf(types).map((name) => [name, waiting.map(({ args }) => args[name])]));
}

const namesOf = <Args>(types: Types<Args>) => Object.keys(types) as (keyof Args & string)[];

/** A list as an argument of `gathered`. */
export const listOf = (items: readonly string[]): string => items.join(',');

/** What `listOf` made, as an array of `type`; null stays null. */
export const arrayOf = (list: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown> =>
  sql`string_to_array(${list}, ',')::${sql.raw(type)}[]`;
