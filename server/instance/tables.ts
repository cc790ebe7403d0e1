import type { JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';

export type SiteImageName = 'thumbnail' | 'icon';

export interface InstanceTables {
  /** Images of the site that staff chose. Without a row, the bundled one is used. */
  site_images: {
    name: SiteImageName;
    /** Storage keys by version (`@1x`, `@2x`) or size (`192x192`). */
    files: JSONColumnType<Record<string, string>>;
    blurhash: string;
    /** Alternative text. */
    description: string;
    updated_at: Date;
  };
  /** Files of images that staff replaced or reset. They stay served while caches may still name them. */
  replaced_site_images: {
    /** Storage key. */
    key: string;
    replaced_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<InstanceTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends InstanceTables {}
}
