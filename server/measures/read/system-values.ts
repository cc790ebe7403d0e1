import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { message } from '../../platform/i18n/message.ts';
import type { Locale } from '../../platform/i18n/locales.ts';
import { version } from '../../platform/version.ts';
import type { Dimension } from '../schema.ts';
import type { StorageKind } from '../tables.ts';
import { formatBytes } from './format-bytes.ts';
import { namesOf } from '../../platform/known-names.ts';

type Values = Dimension['data'];

const names = {
  redis: 'measures.valkey',
  profile_images: 'measures.profileImages',
  emojis: 'measures.customEmojis',
  site_images: 'measures.siteImages',
  archives: 'measures.archives',
  media_cache: 'measures.mediaCache',
} as const satisfies Record<StorageKind, string>;

/**
 * Returns the bytes of the database and of the local media whose size is known, and what was measured last night of the
 * rest: a request does not wait for a bucket or for Valkey.
 */
export async function loadSpaceUsage({ db }: App, locale: Locale): Promise<Values> {
  const sizes = await db.selectFrom('storage_sizes').select(['kind', 'bytes']).execute();
  const { rows } = await sql<{ postgresql: string; media: string }>`
    select pg_database_size(current_database())::text as postgresql,
      (select coalesce(sum(value), 0)::text from daily_counts where kind = 'media_bytes') as media`.execute(db);
  const { postgresql = '0', media = '0' } = rows[0] ?? {};
  const present = (key: string, name: string, bytes: string) => ({
    key,
    human_key: name,
    value: bytes,
    unit: 'bytes',
    human_value: formatBytes(Number(bytes), locale),
  });
  return [
    present('postgresql', 'PostgreSQL', postgresql),
    present('media', message('measures.mediaStorage').render(locale), media),
    ...namesOf(names).flatMap((kind) =>
      sizes
        .filter((size) => size.kind === kind)
        .map(({ bytes }) => present(kind, message(names[kind]).render(locale), bytes)),
    ),
  ];
}

/** Returns the versions of the server, of Node and of PostgreSQL. */
export async function loadVersions({ db }: App): Promise<Values> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db);
  const present = (key: string, name: string, value: string) => ({
    key,
    human_key: name,
    value,
    human_value: value,
  });
  return [
    present('fieldfare', 'Fieldfare', version),
    present('node', 'Node.js', process.versions.node),
    present('postgresql', 'PostgreSQL', rows[0]?.version.split(' ', 1)[0] ?? ''),
  ];
}
