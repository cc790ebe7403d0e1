import { sql } from 'kysely';
import { measureCachedFiles } from '../../media/proxy/index.ts';
import { measureStorage } from '../../media/usage/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { measureValkey } from '../../platform/valkey.ts';
import type { StorageKind } from '../tables.ts';

/** The kinds of `storage_sizes` by the folder of the storage. Attachments are counted by day. */
const kindByFolder: Readonly<Record<string, StorageKind>> = {
  'accounts/avatars': 'profile_images',
  'accounts/headers': 'profile_images',
  emojis: 'emojis',
  site: 'site_images',
  archives: 'archives',
};

/**
 * Measures every night what takes time to measure: the files by folder, the cache of the machine that runs the schedule,
 * and Valkey.
 */
export const measureSizes: Schedule = {
  name: 'measures.measure_sizes',
  pattern: '23 3 * * *',
  async run(app) {
    const [folders, cache, valkey] = await Promise.all([
      measureStorage(app, { folders: Object.keys(kindByFolder) }),
      measureCachedFiles(app),
      app.config.VALKEY_URL === undefined ? undefined : measureValkey(app.config.VALKEY_URL),
    ]);
    const sizes = new Map<StorageKind, number>([['media_cache', cache.bytes]]);
    for (const { folder, bytes } of folders) {
      const kind = kindByFolder[folder];
      if (kind !== undefined) sizes.set(kind, (sizes.get(kind) ?? 0) + bytes);
    }
    if (valkey !== undefined) sizes.set('redis', valkey);
    await storeSizes(app, sizes);
  },
};

function storeSizes(app: App, sizes: ReadonlyMap<StorageKind, number>): Promise<void> {
  return transaction(app, async ({ db }) => {
    await sql`delete from storage_sizes`.execute(db);
    await sql`insert into storage_sizes (kind, bytes, measured_at)
      select *, ${app.clock.now()}::timestamptz
      from unnest(${[...sizes.keys()]}::text[], ${[...sizes.values()]}::bigint[])`.execute(db);
  });
}
