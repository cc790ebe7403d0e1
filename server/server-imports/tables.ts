import type { Generated } from 'kysely';

export interface ServerImportTables {
  /** How far the import of another server is. */
  server_import_steps: {
    /** Name of a `TableImport`. */
    name: string;
    /** Key of the last row of the source that was read; null: none yet. */
    cursor: string[] | null;
    /** Time of the source before its first row was read. Rows that change later are read again by the next run. */
    started_at: Date;
    /** Null: the first pass has not ended. */
    finished_at: Date | null;
    /** Rows that the database refused. */
    refused: Generated<number>;
    /** The software of the imported server, as in the name of its command; null: from before it was recorded. */
    source: string | null;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends ServerImportTables {}
}
