import type { Schedule } from '../../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import { cleanUpFolder } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';

/** Deletes avatars and headers that no profile uses from the storage. */
export const cleanUpImages: Schedule = {
  name: 'account.clean_up_images',
  pattern: '53 4 * * *',
  async run(app) {
    for (const folder of ['accounts/avatars', 'accounts/headers']) await cleanUpFolder(app, folder, findReferencedKeys);
  },
};

async function findReferencedKeys({ db }: App, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select avatar_key as key from accounts where avatar_key = any(${keys}::text[])
    union all select avatar_static_key from accounts where avatar_static_key = any(${keys}::text[])
    union all select header_key from accounts where header_key = any(${keys}::text[])
    union all select header_static_key from accounts where header_static_key = any(${keys}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
