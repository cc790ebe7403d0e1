import type { Schedule } from '../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import { cleanUpFolder } from '../media/index.ts';
import type { App } from '../platform/app.ts';

/** Deletes stored images that no local emoji refers to, left by a process that died while adding one. */
export const cleanUpEmojiImages: Schedule = {
  name: 'emoji.clean_up_images',
  pattern: '57 4 * * *',
  async run(app) {
    await cleanUpFolder(app, 'emojis', findReferencedKeys);
  },
};

async function findReferencedKeys({ db }: App, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from custom_emojis cross join lateral unnest(array[image_key, static_key]) as named(key)
    where domain is null and key = any(${keys}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
