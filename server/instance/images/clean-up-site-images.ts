import { sql } from 'kysely';
import { cleanUpFolder } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { writable } from '../tables.ts';

/**
 * How long replaced files stay served. The instance may be cached for a day, a manifest by the browser for longer, and
 * lists of servers are updated every few days.
 */
const replacedDays = 7;

/**
 * Deletes stored images of the site that were replaced a week ago, or are not in use: left by a process that died while
 * replacing one.
 */
export const cleanUpSiteImages: Schedule = {
  name: 'instance.clean_up_images',
  pattern: '3 5 * * *',
  async run(app) {
    await transaction(app, async ({ db }) => {
      const before = new Date(app.clock.now().getTime() - replacedDays * 86_400_000);
      await writable(db).deleteFrom('replaced_site_images').where('replaced_at', '<=', before).execute();
    });
    await cleanUpFolder(app, 'site', findReferencedKeys);
  },
};

async function findReferencedKeys({ db }: App, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select file.value as key from site_images cross join lateral jsonb_each_text(files) file
    where file.value = any(${keys}::text[])
    union all
    select key from replaced_site_images where key = any(${keys}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
