import { existsSync } from 'node:fs';
import type pg from 'pg';
import type { App } from '../../platform/app.ts';
import type { Config } from '../../platform/config.ts';
import {
  clusterMajor,
  embeddedDataFolder,
  findPrograms,
  newestMajor,
  requirePrograms,
  upgradeFolders,
} from '../../platform/database/embedded/index.ts';
import { compareWithSecurityReleases } from '../../platform/database/security-releases.ts';
import type { Finding } from './finding.ts';

const subject = 'database';

/** A version of PostgreSQL as a number, such as 180004, and as people write it. */
interface Version {
  readonly number: number;
  readonly name: string;
}

async function loadVersion(pool: pg.Pool): Promise<Version> {
  const { rows } = await pool.query<Version>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  return rows[0] ?? { number: 0, name: 'unknown' };
}

/** Names the programs of the embedded PostgreSQL that run, others that were meant to, and what is left to upgrade. */
export async function checkPostgresPrograms({ pool, config }: App): Promise<Finding[]> {
  if (config.DATABASE_URL !== undefined) return [];
  const { rows } = await pool.query<{ bin: string }>(`select setting as bin from pg_config where name = 'BINDIR'`);
  const running = await loadVersion(pool);
  const findings: Finding[] = [{ subject, state: 'ok', detail: `its programs are in ${rows[0]?.bin ?? 'unknown'}` }];
  const postgresBin = config.POSTGRES_BIN;
  const newest = findPrograms({ postgresBin, major: Math.floor(running.number / 10_000) });
  if (newest !== undefined && toNumber(newest) > running.number)
    findings.push({
      subject,
      state: 'warn',
      detail: `PostgreSQL ${newest.major}.${newest.minor} is installed in ${newest.bin}, and ${running.name} still runs`,
      fix: 'Restart the server.',
    });
  const given = postgresBin === undefined ? undefined : requirePrograms(postgresBin);
  if (given !== undefined && toNumber(given) < running.number)
    findings.push({
      subject,
      state: 'warn',
      detail: `POSTGRES_BIN has PostgreSQL ${given.major}.${given.minor}, and is not used: ${running.name} is newer`,
      fix: 'Install a newer PostgreSQL there, or remove POSTGRES_BIN.',
    });
  return [...findings, ...checkMajorVersion(config)];
}

const toNumber = ({ major, minor }: { readonly major: number; readonly minor: number }): number =>
  major * 10_000 + minor;

/** Warns if a security release is known that is newer than the running server. */
export async function checkSecurityReleases({ pool, config }: App): Promise<Finding[]> {
  const { number, name } = await loadVersion(pool);
  const { isKnown, missing } = compareWithSecurityReleases(number);
  if (!isKnown)
    return [
      {
        subject,
        state: 'ok',
        detail: `PostgreSQL ${name} is newer than this version of Fieldfare, which does not know its security releases: see https://www.postgresql.org/support/security/`,
      },
    ];
  if (missing === undefined) return [];
  return [
    {
      subject,
      state: 'warn',
      detail: `PostgreSQL ${name} lacks security fixes of ${missing}`,
      fix:
        config.DATABASE_URL === undefined
          ? `Install PostgreSQL ${missing} or a newer ${missing.split('.')[0]} beside Fieldfare and restart it: it is found in the usual folders, or by POSTGRES_BIN.`
          : `Upgrade PostgreSQL to ${missing}.`,
    },
  ];
}

/** The cluster of the former major version is as large as the new one. */
function checkMajorVersion(config: Config): Finding[] {
  const dataDir = embeddedDataFolder(config.dataDir);
  const newest = newestMajor(config.POSTGRES_BIN);
  if ((clusterMajor(dataDir) ?? newest) < newest)
    return [
      {
        subject,
        state: 'warn',
        detail: `PostgreSQL ${newest} is installed, and the database is of an older major version`,
        fix: 'Stop the server and run: fieldfare db upgrade',
      },
    ];
  const { old } = upgradeFolders(dataDir);
  if (!existsSync(old)) return [];
  return [
    {
      subject,
      state: 'warn',
      detail: `the database from before the upgrade of PostgreSQL is kept in ${old}`,
      fix: 'When everything works, delete it: fieldfare db upgrade --confirm',
    },
  ];
}
