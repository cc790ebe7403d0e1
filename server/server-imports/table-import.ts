/** Which remote posts are taken: all, or those that local accounts have to do with. */
export type RemotePosts = 'all' | 'needed';

/** A row as the source returns it, by the columns of the target. Ids are decimal text. */
export type ImportedRow = Record<string, unknown>;

/**
 * How rows of a table of the source become rows of a table of Fieldfare. All SQL runs on the source, where `s` is the row. The
 * order of a list of them is that of foreign keys: rows whose parent was not imported are left out.
 */
export interface TableImport {
  /** Unique. Progress is stored under it, and the report names it. */
  readonly name: string;
  readonly from: string;
  readonly into: string;
  /** SQL of each column of the target. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL of further values that `prepare` needs. */
  readonly helpers?: Readonly<Record<string, string>>;
  /** Joins of `s`. */
  readonly join?: string;
  /** Columns and their SQL in place of those that older versions of the source lack. */
  readonly added?: Readonly<Record<string, string>>;
  /** Older versions of the source lack the whole table. */
  readonly isNewTable?: boolean;
  /** Bigint columns that identify a row of the source and have an index. Default: `id`. */
  readonly key?: readonly string[];
  /** Columns of the target that hold `key`; undefined if none do. Default: those of the same names. */
  readonly targetKey?: readonly string[] | undefined;
  /** Columns of a unique index of the target, by which a later run replaces a row. Default: `targetKey`. */
  readonly conflictKey?: readonly string[];
  /** Condition of the rows that this step is about, if another step takes the others. */
  readonly only?: string;
  /** Conditions of rows that are not taken, by the reason. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Condition of rows that changed since `$since`. Default: by `updated_at` if there is one; else rows never change. */
  readonly changed?: string;
  /** Sets the columns of rows that an earlier step inserted. `columns` contains their `id`. */
  readonly isUpdate?: boolean;
  /** Rows replace those that a new database has. */
  readonly replaces?: boolean;
  /** A later run deletes all rows and takes them again. For what no key identifies, or changes without a trace. */
  readonly isRebuilt?: boolean;
  /** SQL of the number of rows that a row of the source becomes by `join`. Default: 1. */
  readonly rowsEach?: string;
  /** Completes a row by code. */
  readonly prepare?: (row: ImportedRow) => ImportedRow | Promise<ImportedRow>;
}

/** A table of the source that is not imported. */
export interface TableNotTaken {
  readonly from: string;
  readonly reason: string;
  /** Condition of the rows of `s` that are lost; the others are imported elsewhere. Default: all. */
  readonly where?: string;
}

/** The software of a server, as in the name of its command. */
export type SourceKind = 'mastodon' | 'gotosocial';

/** What is imported from a kind of server. */
export interface ImportPlan {
  readonly source: SourceKind;
  readonly tables: readonly TableImport[];
  readonly notTaken: readonly TableNotTaken[];
}

/** Returns a column of a row that is text; '' if it is null. */
export function textOf(row: ImportedRow, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : '';
}

/** Whether a value of a row is an object of its own, from a JSON column. */
export const isRow = (value: unknown): value is ImportedRow => typeof value === 'object' && value !== null;

export const keyOf = ({ key = ['id'] }: TableImport): readonly string[] => key;

/** Returns the columns of the target with the key of the source; undefined if it has none. */
export function targetKeyOf(table: TableImport): readonly string[] | undefined {
  return 'targetKey' in table ? table.targetKey : keyOf(table);
}
