import type { JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { TranslatedTexts } from './service.ts';

export interface TranslationTables {
  translations: {
    /** Digest of the texts, the languages and the service. */
    key: string;
    /** Sanitized; sanitized again with the links of the status when it is shown. */
    answer: JSONColumnType<TranslatedTexts>;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<TranslationTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends TranslationTables {}
}
