import type { JobTables } from '../work/tables.ts';

/** All tables of the database. Each domain's `tables.ts` adds its own by declaration merging. */
export interface Tables extends JobTables {}
