// Measures the import of a Mastodon that is generated for it: npm run bench -- mastodon-import.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../../server/platform/database/embedded/index.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { createLog } from '../../server/platform/log.ts';
import { measureUsage } from '../cpu.ts';
import { mastodonSchema } from '../../test/server-imports/mastodon-schema.ts';

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '1000000' },
    /** As the option of the command. */
    remote: { type: 'string', default: 'all' },
    /** Folder for both databases. Default: a temporary one. */
    data: { type: 'string' },
  },
});

const posts = Number(values.posts);
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'ff-import-'));
const base = 109_300_000_000_000_000n;

/** Statements that generate an instance: one in fifty accounts is local, and so is every third post. */
const generate = [
  `insert into user_roles (id, name, position, permissions, created_at, updated_at) values (-99, '', -1, 65536, now(), now()),
    (3, 'Owner', 1000, 1, now(), now())`,
  `insert into accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url, protocol, public_key, private_key, note, display_name, created_at, updated_at)
    select ${base} + n, 'user' || n, d, case when d is null then '' else 'https://' || d || '/users/user' || n end,
      'https://' || d || '/@user' || n, coalesce('https://' || d || '/users/user' || n || '/inbox', ''), coalesce('https://' || d || '/inbox', ''),
      1, 'key ' || n, case when d is null then 'private' end, '<p>I write about birds, and about number ' || n || '.</p>', 'User ' || n, now() - interval '1 year', now()
    from (select n, case when n % 50 <> 0 then 'host' || n % 500 || '.test' end as d from generate_series(1, ${Math.ceil(posts / 25)}) n) a`,
  `insert into users (id, account_id, email, encrypted_password, confirmed_at, created_at, updated_at)
    select id - ${base}, id, username || '@birds.test', '', now(), now(), now() from accounts where domain is null`,
  `insert into account_stats (id, account_id, statuses_count, created_at, updated_at) select id - ${base}, id, 25, now(), now() from accounts`,
  `insert into follows (id, account_id, target_account_id, created_at, updated_at)
    select row_number() over (), a.id, b.id, now(), now() from accounts a cross join lateral
      (select id from accounts b where b.id > a.id order by b.id limit case when a.domain is null then 200 else 2 end) b`,
  `insert into tags (id, name, created_at, updated_at) select n, 'tag' || n, now(), now() from generate_series(1, 5000) n`,
  `insert into conversations (id, created_at, updated_at) select n, now(), now() from generate_series(1, ${Math.ceil(posts / 2)}) n`,
  `insert into statuses (id, account_id, uri, url, text, local, conversation_id, in_reply_to_id, in_reply_to_account_id, reply, language, reblog_of_id, created_at, updated_at)
    select ${base} + n::bigint * 65536, a.id, case when a.domain is null then 'https://birds.test/users/' || a.username || '/statuses/' || ${base} + n::bigint * 65536
        else 'https://' || a.domain || '/users/user/statuses/' || n end,
      'https://' || a.domain || '/@user/' || n,
      case when n % 10 = 0 then '' when a.domain is null
        then 'Look at this heron number ' || n || ' #tag' || n % 5000 || E' by the lake\n\nhttps://example.test/' || n || repeat(' it stood still', n % 12)
        else '<p>Look at this heron number ' || n || ' <a href="https://h.test/tags/tag" class="mention hashtag" rel="tag">#<span>tag</span></a></p><p>'
          || repeat('It stood still for a long while. ', n % 12) || '</p>' end,
      a.domain is null, n / 2 + 1, case when n % 4 = 1 and n > 100 then ${base} + (n - 50)::bigint * 65536 end, null, n % 4 = 1, 'en',
      case when n % 10 = 0 and n > 10 then ${base} + (n - 9)::bigint * 65536 end, now() - interval '1 year' + n * interval '1 second', now() - interval '1 year'
    from generate_series(1, ${posts}) n join accounts a on a.id = ${base} + case when n % 3 = 0 then (n / 3 % ${Math.ceil(posts / 1250)} + 1) * 50 else n % ${Math.ceil(posts / 25)} + 1 end`,
  `insert into status_stats (id, status_id, replies_count, reblogs_count, favourites_count, created_at, updated_at)
    select row_number() over (), id, 1, 1, 2, now(), now() from statuses where id % 131072 = 0`,
  `insert into statuses_tags (status_id, tag_id) select ${base} + n::bigint * 65536, n % 5000 + 1 from generate_series(1, ${posts}) n where n % 2 = 0`,
  `insert into mentions (id, status_id, account_id, created_at, updated_at)
    select n, ${base} + n::bigint * 65536, ${base} + n % 1000 + 1, now(), now() from generate_series(1, ${posts}) n where n % 3 = 0`,
  `insert into favourites (id, status_id, account_id, created_at, updated_at)
    select n, ${base} + n::bigint * 65536, ${base} + n % 1000 + 1, now(), now() from generate_series(1, ${posts}) n`,
  `insert into media_attachments (id, status_id, account_id, file_file_name, type, file_meta, description, remote_url, created_at, updated_at)
    select ${base} + n, ${base} + n::bigint * 65536, ${base} + n % 1000 + 1, n || '.png', 0, '{"original":{"width":800,"height":600}}', 'A heron', 'https://h.test/' || n, now(), now()
    from generate_series(1, ${posts}) n where n % 5 = 0`,
  `insert into notifications (id, activity_id, activity_type, account_id, from_account_id, type, created_at, updated_at)
    select n, n, 'Favourite', ${base} + (n % 20 + 1) * 50, ${base} + n % 1000 + 1, 'favourite', now() - interval '1 month', now()
    from generate_series(1, ${posts}, 5) n`,
  // The indexes of Mastodon that an import uses.
  ...[
    'accounts (uri)',
    'account_stats (account_id)',
    'users (account_id)',
    'media_attachments (status_id)',
    'mentions (status_id)',
    'mentions (account_id, status_id)',
    'statuses (in_reply_to_id)',
    'statuses (reblog_of_id, account_id)',
    'statuses (account_id, id)',
    'favourites (status_id)',
    'favourites (account_id, status_id)',
    'notifications (from_account_id)',
    'follows (account_id, target_account_id)',
    'follows (target_account_id, account_id)',
    'statuses_tags (tag_id, status_id)',
    'preview_cards_statuses (status_id, preview_card_id)',
  ].map((index) => `create index on ${index}`),
  'analyze',
];

/** Returns the most memory that a process or one of its children ever used; 0 if they have ended. */
function peakMegabytes(pid: number): number {
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const own = Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  const children = read(`/proc/${pid}/task/${pid}/children`).match(/\d+/g) ?? [];
  return Math.max(Math.round(own / 1024), ...children.map((child) => peakMegabytes(Number(child))));
}

const log = createLog({ level: 'error' });
const server = await startEmbedded({ dataDir: join(folder, 'postgres'), log, purpose: 'tests', skipSync: true });
try {
  const { host, port, user } = server;
  const connect = async (database: string): Promise<pg.Client> => {
    const client = new pg.Client({ host, port, user, database });
    // The server stops while it is open if a statement fails.
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const admin = await connect('postgres');
  for (const name of ['mastodon', 'moved']) await admin.query(`create database ${name}`);
  await admin.end();
  await migrate({ host, port, user, database: 'moved' });
  const source = await connect('mastodon');
  await source.query(mastodonSchema('4.4'));
  for (const statement of generate) await source.query(statement);
  await source.end();
  const env = join(folder, '.env.production');
  writeFileSync(env, 'LOCAL_DOMAIN=birds.test\n');
  const url = (name: string): string => `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  for (const run of ['first', 'second']) {
    const began = performance.now();
    const args = [
      'bin/fieldfare.mjs',
      'import',
      'mastodon',
      '--database',
      url('mastodon'),
      '--env',
      env,
      '--remote',
      values.remote,
      '--json',
    ];
    const child = spawn(process.execPath, args, {
      env: {
        ...process.env,
        DATABASE_URL: url('moved'),
        DATA_DIR: join(folder, 'data'),
        BASE_URL: 'https://birds.test',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exit = once(child, 'exit');
    const before = measureUsage(process.pid);
    let after = before;
    let peak = 0;
    while (child.exitCode === null) {
      after = measureUsage(process.pid);
      peak = Math.max(peak, peakMegabytes(child.pid ?? 0));
      await pause(200);
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    const cpu = (kind: 'nodeMs' | 'postgresMs'): string => `${Math.round((after[kind] - before[kind]) / 1000)} s`;
    process.stdout.write(
      `${run} run of ${posts} posts: exit code ${String((await exit)[0])}, ${seconds} s, CPU ${cpu('nodeMs')} and ${cpu('postgresMs')} of PostgreSQL, at most ${peak} MB\n`,
    );
  }
} finally {
  await server.stop();
  if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
