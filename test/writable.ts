import type { Tables } from '../server/platform/database/tables.ts';
import { writableTables } from '../server/platform/database/writable-tables.ts';

/** Writes any table in a transaction, as no domain can: tests prepare what no use case would. */
export const writable = writableTables<Tables>();
