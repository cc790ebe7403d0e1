/** An expression that the guard cannot resolve, but a person has checked. */
export interface Exception {
  /** The prefix of the paths where it occurs. */
  readonly path: string;
  /** The text of the expression, or the table that is written. */
  readonly expression: string;
  readonly reason: string;
}

const feedTables = 'FeedTables names only tables of timelines';
const everyTable = 'copies and loads all tables as they are';
const everyIndex = 'examines all unique indexes; the text comes from the catalogue of PostgreSQL';

export const tableExceptions: readonly Exception[] = [
  { path: 'server/timelines/', expression: 'states', reason: feedTables },
  { path: 'server/timelines/', expression: 'entries', reason: feedTables },
  { path: 'server/federation/delivery/', expression: 'rows(open)', reason: 'a list of values' },
  { path: 'server/federation/delivery/', expression: 'rows(pauses)', reason: 'a list of values' },
  { path: 'server/instance/', expression: 'statuses', reason: 'a column of a common table expression' },
  { path: 'server/statuses/many-viewers/', expression: 'rows', reason: 'a common table expression' },
  { path: 'server/platform/jobs/', expression: 'table', reason: 'only qualifies columns in a condition' },
  {
    path: 'server/platform/database/',
    expression: '`select greatest(${maxima})::text as id`',
    reason: 'reads ids of all tables',
  },
  { path: 'server/platform/database/', expression: '`create database ${database}`', reason: 'creates the database' },
  { path: 'server/platform/database/', expression: 'types[name]', reason: 'ColumnType lists names of types' },
  { path: 'server/platform/database/', expression: '`listen ${this.#options.channel}`', reason: 'a channel' },
  { path: 'server/platform/database/', expression: 'text', reason: 'runs the migrations' },
  { path: 'server/platform/database/', expression: 'sql', reason: 'runs the migrations' },
  {
    path: 'server/platform/database/',
    expression: '{ name, text, values }',
    reason: 'sends the statements of its callers',
  },
  {
    path: 'server/platform/database/read-database.ts',
    expression: 'selectFrom',
    reason: 'lists the methods of the read-only database',
  },
  { path: 'server/platform/database/', expression: 'statement.sql', reason: 'sends the statements of its callers' },
  { path: 'server/platform/database/', expression: '{ text, values }', reason: 'sends the statements of its callers' },
  { path: 'server/cli/database/sql-prompt.ts', expression: 'text', reason: 'sends the statements of a user' },
  { path: 'server/platform/database/', expression: 'drop', reason: 'drops indexes while rows are loaded in bulk' },
  { path: 'server/platform/database/', expression: 'create', reason: 'creates those indexes again' },
  { path: 'server/backup/', expression: 'statement', reason: everyTable },
  { path: 'server/backup/', expression: 'quoted', reason: everyTable },
  { path: 'server/maintenance/unique-indexes.ts', expression: 'sql.raw(table)', reason: everyIndex },
  { path: 'server/maintenance/unique-indexes.ts', expression: 'table', reason: everyIndex },
  { path: 'server/maintenance/unique-indexes.ts', expression: 'columns', reason: everyIndex },
  { path: 'server/maintenance/unique-indexes.ts', expression: 'condition', reason: everyIndex },
  { path: 'server/platform/database/rebuild-index.ts', expression: 'rebuild', reason: everyIndex },
  { path: 'server/backup/archive/', expression: 'tar', reason: 'a stream of bytes' },
];
