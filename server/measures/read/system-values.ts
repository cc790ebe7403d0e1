import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { message } from '../../platform/i18n/message.ts';
import type { Locale } from '../../platform/i18n/locales.ts';
import { version } from '../../platform/version.ts';
import type { Dimension } from '../schema.ts';
import { formatBytes } from './format-bytes.ts';

type Values = Dimension['data'];

/** Returns the bytes of the database, and of the local media whose size is known. */
export async function loadSpaceUsage({ db }: App, locale: Locale): Promise<Values> {
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
