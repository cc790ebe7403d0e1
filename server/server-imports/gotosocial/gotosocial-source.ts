import type { CopiedTable } from './copied-tables.ts';

/** The database of a GoToSocial, as it was when it was opened. It is only read. */
export interface GotosocialSource extends AsyncDisposable {
  /** Columns of each table. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  count(table: string): Promise<number>;
  /** Reads all rows of a table in batches. A row is JSON with the columns of the copy, `ulid` first. */
  read(name: string, table: CopiedTable, batchSize: number): AsyncIterable<readonly string[]>;
}

/** Returns the columns of a copied table that this version has. */
export const presentColumns = ({ columns }: CopiedTable, names: ReadonlySet<string>) =>
  [...columns].filter(([name]) => names.has(name));
