import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, cp, lchown, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { allowGroupTraversal } from '../../files/data-folder.ts';
import { EmbeddedError } from './error.ts';
import type { Programs } from './programs.ts';
import type { SystemUser } from './user.ts';

/** Location of PostgreSQL's programs, and the user that runs them. */
export interface Binaries {
  /** Folder of the programs. */
  readonly bin: string;
  readonly major: number;
  /** The user that runs them if this process is root, which PostgreSQL refuses to run as. */
  readonly user: SystemUser | undefined;
  /** Command line prefix of the programs (setpriv and its options), or nothing. */
  readonly prefix: readonly string[];
}

/**
 * Finds a way to run programs as `user` on the cluster in `dataDir`, whose parent folder exists. Throws EmbeddedError with a
 * solution if there is none.
 */
export async function prepareBinaries(
  programs: Programs,
  dataDir: string,
  user: SystemUser | undefined,
): Promise<Binaries> {
  const { bin, major } = programs;
  if (user === undefined) return { bin, major, user, prefix: [] };
  allowGroupTraversal(dirname(dataDir), user.gid);
  if (!canAccess(dirname(dataDir), user)) return grantCapability({ bin, major, user }, dataDir);
  if (canAccess(join(bin, 'postgres'), user)) return { bin, major, user, prefix: [] };
  return { bin: await copyBinaries(programs, dataDir, user), major, user, prefix: [] };
}

/** Returns the command line that runs `program` with `args`. */
export function buildCommand(
  { bin, prefix }: Binaries,
  program: 'initdb' | 'postgres',
  args: readonly string[],
): [string, string[]] {
  const [first, ...rest] = [...prefix, join(bin, program), ...args];
  return [first ?? program, rest];
}

/** Returns the options of `spawn` that set the user; a prefix sets it itself. */
export function spawnIdentity({ user, prefix }: Binaries): { uid?: number; gid?: number } {
  return user === undefined || prefix.length > 0 ? {} : user;
}

/** Returns whether a user may enter every folder on the way to `path`, and enter or execute `path` itself. */
function canAccess(path: string, user: SystemUser): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return false;
    if (dirname(folder) === folder) return true;
  }
}

const probeScript = 'test -x "$1" && test -x "$2" && "$1" --version';

/**
 * Grants an unprivileged user the capability to enter closed folders (a checkout under /root). Containers often grant
 * only the second of the two capabilities.
 */
function grantCapability(found: { bin: string; major: number; user: SystemUser }, dataDir: string): Binaries {
  const { uid, gid } = found.user;
  // Some service managers set a short PATH.
  const setpriv = existsSync('/usr/bin/setpriv') ? '/usr/bin/setpriv' : 'setpriv';
  for (const capability of ['+dac_read_search', '+dac_override']) {
    const prefix = [
      setpriv,
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      // Otherwise access(2), which PostgreSQL uses to find its files, ignores the capability.
      '--securebits=+no_setuid_fixup',
      `--inh-caps=${capability}`,
      `--ambient-caps=${capability}`,
      '--',
    ];
    const binaries: Binaries = { ...found, prefix };
    const [command, ...args] = [
      ...prefix,
      '/bin/sh',
      '-c',
      probeScript,
      'sh',
      join(found.bin, 'postgres'),
      dirname(dataDir),
    ];
    const probe = spawnSync(command, args, { cwd: '/', stdio: 'ignore' });
    if (probe.status === 0) return binaries;
  }
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and the user it runs as (${uid}) may not enter ${dirname(dataDir)}. ` +
      'Set DATA_DIR to a folder outside of closed ones, such as /var/lib/fieldfare, or start as an ordinary user.',
  );
}

/** Copies the programs with their libraries, which are in the folder above. Returns the new folder of the programs. */
async function copyBinaries(
  { bin, major, minor, isBundled }: Programs,
  dataDir: string,
  user: SystemUser,
): Promise<string> {
  if (!isBundled)
    throw new EmbeddedError(`The user that PostgreSQL runs as (${user.uid}) may not enter POSTGRES_BIN: ${bin}`);
  const folder = dirname(bin);
  const name = `${basename(dataDir)}-binaries-`;
  const target = join(dirname(dataDir), `${name}${major}.${minor}`);
  if (!existsSync(target)) {
    const temporaryFolder = `${target}.${process.pid}`;
    await mkdir(temporaryFolder, { mode: 0o700 });
    await cp(folder, temporaryFolder, { recursive: true, verbatimSymlinks: true });
    await rename(temporaryFolder, target);
  }
  await restrictToUser(user, target);
  for (const other of readdirSync(dirname(dataDir))) {
    if (other.startsWith(name) && other !== basename(target))
      rmSync(join(dirname(dataDir), other), { recursive: true });
  }
  return join(target, 'bin');
}

/** Closes a folder to all users but `user`. */
async function restrictToUser(user: SystemUser, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await restrictToUser(user, path);
    else if (entry.isFile()) await setOwner(path, (lstatSync(path).mode & 0o100) === 0 ? 0o600 : 0o700, user);
  }
  await setOwner(folder, 0o700, user);
}

async function setOwner(path: string, mode: number, { uid, gid }: SystemUser): Promise<void> {
  const found = lstatSync(path);
  if ((found.mode & 0o777) !== mode) await chmod(path, mode);
  if (found.uid !== uid) await lchown(path, uid, gid);
}
