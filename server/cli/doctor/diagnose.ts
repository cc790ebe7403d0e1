import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import {
  databaseUserName,
  embeddedDataFolder,
  findEmbeddedHolder,
  isOwnedByNobody,
} from '../../platform/database/embedded/index.ts';
import { listWaiting, migrationStatus } from '../../platform/database/migrate.ts';
import { describeWaiting } from '../describe-waiting.ts';
import { findMissingSettings } from '../../platform/database/role-settings.ts';
import { descriptorLimit, allocateDescriptors } from '../../platform/files/file-descriptors.ts';
import { checkMail, checkTranscoder, checkValkey } from './check-services.ts';
import { checkPostgresPrograms, checkSecurityReleases } from './check-postgres.ts';
import { checkQueueProcesses, checkQueues } from './check-queues.ts';
import { checkProxy } from './check-proxy.ts';
import { checkReplicas } from './check-replicas.ts';
import { checkPublicBucket, checkStorage } from './check-storage.ts';
import { checkSignInProviders } from './check-sign-in-providers.ts';
import type { Finding } from './finding.ts';
import { toError } from '../../platform/errors.ts';

const gigabyteBytes = 1024 ** 3;
/** Enough for the connections that one process serves well. */
const recommendedDescriptors = 8_192;
const minDescriptors = 512;

/** Runs all checks, in the order in which they depend on each other. */
export async function diagnose(app: App): Promise<Finding[]> {
  const checks: [string, (app: App) => Promise<Finding[]>][] = [
    ['settings', checkSettings],
    ['database', checkDatabase],
    ['database', checkPostgresPrograms],
    ['database', checkSecurityReleases],
    ['database', async (server) => checkDatabaseUser(server)],
    ['database', checkPooler],
    ['replicas', checkReplicas],
    ['addresses', checkAddresses],
    ['proxy', checkProxy],
    ['clock', checkClock],
    ['limits', checkLimits],
    ['queues', checkQueues],
    ['queues', checkQueueProcesses],
    ['valkey', checkValkey],
    ['mail', checkMail],
    ['sign-in', checkSignInProviders],
    ['ffmpeg', checkTranscoder],
    ['storage', checkStorage],
    ['storage', checkPublicBucket],
    ['disk', checkDisk],
  ];
  const findings: Finding[] = [];
  for (const [subject, check] of checks) {
    try {
      findings.push(...(await check(app)));
    } catch (error) {
      findings.push({ subject, state: 'fail', detail: toError(error).message });
    }
  }
  return findings;
}

async function checkSettings({ config }: App): Promise<Finding[]> {
  const subject = 'settings';
  const findings: Finding[] = [{ subject, state: 'ok', detail: `${config.baseUrl}, handles end in @${config.domain}` }];
  const warn = (detail: string, fix: string): void => void findings.push({ subject, state: 'warn', detail, fix });
  const { protocol, hostname } = new URL(config.baseUrl);
  const local = hostname === 'localhost' || hostname.startsWith('127.');
  if (local)
    warn(
      'BASE_URL is an address that only this machine can reach',
      'Set BASE_URL to the public address before anyone follows a local account.',
    );
  else if (protocol === 'http:')
    warn(
      'the public address is not https',
      'Put a TLS proxy in front of the server and set BASE_URL to its https address.',
    );
  if (config.SMTP_URL === undefined) warn('mail is only written to files', 'Set SMTP_URL.');
  if (config.ALLOW_PRIVATE_ADDRESSES)
    warn(
      'requests to private addresses are allowed',
      'Unset ALLOW_PRIVATE_ADDRESSES outside of tests and closed networks.',
    );
  if (!config.RATE_LIMITS) warn('there are no rate limits', 'Unset RATE_LIMITS after the load test.');
  return findings;
}

async function checkDatabase({ pool, config }: App): Promise<Finding[]> {
  const subject = 'database';
  const { rows } = await pool.query<{ version: string; size: string; connections: number; most: number }>(
    `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as most`,
  );
  const facts = rows[0];
  if (facts === undefined) return [{ subject, state: 'fail', detail: 'the database returned no rows' }];
  const kind = config.DATABASE_URL === undefined ? 'embedded' : 'DATABASE_URL';
  const findings: Finding[] = [
    {
      subject,
      state: 'ok',
      detail: `PostgreSQL ${facts.version} (${kind}), ${facts.size}, ${facts.connections} of ${facts.most} connections`,
    },
  ];
  if (facts.connections > facts.most * 0.8) {
    findings.push({
      subject,
      state: 'warn',
      detail: 'most connections are in use',
      fix: 'Lower DATABASE_POOL, or raise max_connections of PostgreSQL.',
    });
  }
  const pending = (await migrationStatus(pool)).filter(({ kind, appliedAt }) => kind === 'expand' && !appliedAt);
  if (pending.length > 0) {
    findings.push({
      subject,
      state: 'fail',
      detail: `${pending.length} migrations are missing`,
      fix: 'Run: fieldfare db migrate',
    });
    return findings;
  }
  const waiting = await listWaiting(pool);
  if (waiting.length > 0)
    findings.push({
      subject,
      state: 'warn',
      detail: describeWaiting(waiting),
      fix: 'Stop the processes of the older version.',
    });
  return findings;
}

/** Other programs that run as the user nobody could access the files of PostgreSQL. */
function checkDatabaseUser({ config }: App): Finding[] {
  if (config.DATABASE_URL !== undefined || !isOwnedByNobody(embeddedDataFolder(config.dataDir))) return [];
  return [
    {
      subject: 'database',
      state: 'warn',
      detail: 'PostgreSQL runs as the user nobody, which other programs may use too',
      fix: `Create a user for it and restart: useradd --system --user-group ${databaseUserName}`,
    },
  ];
}

/** A session that the pooler opened before its settings were stored has none of them, and no timeouts. */
async function checkPooler({ pool, config }: App): Promise<Finding[]> {
  const subject = 'database';
  if (config.DATABASE_DIRECT_URL === undefined) return [];
  const missing = await findMissingSettings(pool);
  if (missing.length === 0)
    return [{ subject, state: 'ok', detail: 'sessions of the pooler have the settings of servers' }];
  return [
    {
      subject,
      state: 'fail',
      detail: `a session of the pooler has not the settings of servers: ${missing.join(', ')}`,
      fix: 'Let the pooler open its connections again (RECONNECT in the console of PgBouncer).',
    },
  ];
}

/** Other servers identify accounts by the BASE_URL under which they were created. */
async function checkAddresses({ db, config }: App): Promise<Finding[]> {
  const subject = 'addresses';
  const { baseUrl } = config;
  const { rows } = await sql<{ count: number; example: string | null }>`
    select count(*)::int as count, min(uri) as example from accounts
    where domain is null and deleted_at is null and not starts_with(uri, ${`${baseUrl}/`}::text)`.execute(db);
  const { count, example } = rows[0] ?? { count: 0, example: null };
  if (count === 0 || example === null) return [{ subject, state: 'ok', detail: 'all accounts match BASE_URL' }];
  const { origin } = new URL(example);
  return [
    {
      subject,
      state: 'warn',
      detail: `${count} accounts were created when BASE_URL was ${origin}; other servers know them and their posts by it`,
      fix: `Set BASE_URL to ${origin} again. If no remote account follows a local one yet, you can also start with an empty DATA_DIR.`,
    },
  ];
}

async function checkClock({ pool }: App): Promise<Finding[]> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const away = Math.abs((rows[0]?.now.getTime() ?? 0) - (before + Date.now()) / 2) / 1000;
  if (away < 2) return [{ subject: 'clock', state: 'ok', detail: 'agrees with the database' }];
  return [
    {
      subject: 'clock',
      state: away < 30 ? 'warn' : 'fail',
      detail: `differs from the database by ${away.toFixed(1)} s; other servers reject signed requests with a wrong time`,
      fix: 'Synchronize both machines by NTP (systemd-timesyncd, chrony).',
    },
  ];
}

/** If a server runs on the embedded database, its own limit counts, not that of this command. */
async function checkLimits({ config }: App): Promise<Finding[]> {
  const subject = 'limits';
  const holder = config.DATABASE_URL === undefined ? findEmbeddedHolder(embeddedDataFolder(config.dataDir)) : undefined;
  const limit = descriptorLimit(holder?.purpose === 'server' ? holder.pid : 'self');
  if (limit === undefined) return [];
  return [descriptorFinding(limit, config.DATABASE_POOL, subject)];
}

/** Checks the limit of open files and sockets of a process. */
export function descriptorFinding(limit: number, poolSize: number, subject = 'limits'): Finding {
  const { incoming, outgoing } = allocateDescriptors(limit, poolSize);
  const detail = `${limit} open files and sockets: ${incoming} for clients, ${outgoing} for requests to other servers`;
  if (limit >= recommendedDescriptors) return { subject, state: 'ok', detail };
  const fix = `Allow at least ${recommendedDescriptors}: ulimit -n, or LimitNOFILE= of the systemd unit.`;
  return { subject, state: limit < minDescriptors + poolSize ? 'fail' : 'warn', detail, fix };
}

async function checkDisk({ config }: App): Promise<Finding[]> {
  const { bavail, bsize, blocks } = await statfs(config.dataDir);
  const free = bavail * bsize;
  const share = blocks === 0 ? 1 : bavail / blocks;
  const detail = `${(free / gigabyteBytes).toFixed(1)} GB free (${Math.round(share * 100)} %) in ${config.dataDir}`;
  if (free > 2 * gigabyteBytes) return [{ subject: 'disk', state: 'ok', detail }];
  return [
    {
      subject: 'disk',
      state: free > gigabyteBytes / 2 ? 'warn' : 'fail',
      detail,
      fix: 'Free some space: PostgreSQL stops when the disk is full.',
    },
  ];
}
