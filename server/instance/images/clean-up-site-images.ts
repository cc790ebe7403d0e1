import { sql } from 'kysely';
import { cleanUpFolder } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import type { Schedule } from '../../platform/jobs/run-schedules.ts';

/** Deletes stored images of the site that are not in use, left by a process that died while replacing one. */
export const cleanUpSiteImages: Schedule = {
  name: 'instance.clean_up_images',
  pattern: '3 5 * * *',
  async run(app) {
    await cleanUpFolder(app, 'site', findReferencedKeys);
  },
};

async function findReferencedKeys({ db }: App, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select file.value as key from site_images cross join lateral jsonb_each_text(files) file
    where file.value = any(${keys}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
