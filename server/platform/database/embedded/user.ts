import { spawnSync } from 'node:child_process';
import { existsSync, lchownSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedError } from './error.ts';
import { toError } from '../../errors.ts';

/** A user of the operating system. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** The system user that runs PostgreSQL if this process is root, which PostgreSQL refuses to run as. */
export const databaseUserName = 'fieldfare-postgres';

/** User and group id of nobody on all supported systems. */
export const nobody: SystemUser = { uid: 65_534, gid: 65_534 };

export interface UserOptions {
  /** False in tests, which do not create users: PostgreSQL then runs as nobody. */
  readonly canCreate: boolean;
  /** Reports that the system user was created. */
  readonly onCreated: (sentence: string) => void;
  /** Reports that the system user could not be created and nobody is used instead. */
  readonly onRefused: (sentence: string) => void;
  /** Default: /etc/passwd. */
  readonly passwdFile?: string;
}

/**
 * Returns the user that runs PostgreSQL on the cluster in `dataDir`: a system user, created if needed, or nobody if
 * that fails. The cluster of an ordinary user keeps its owner. Undefined if this process is not root: PostgreSQL then
 * runs as the same user.
 */
export async function chooseDatabaseUser(dataDir: string, options: UserOptions): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = existsSync(dataDir) ? statSync(dataDir) : undefined;
  if (owner !== undefined && isRegularUser(owner.uid, options)) return { uid: owner.uid, gid: owner.gid };
  return findOrCreateUser(options);
}

/** Returns whether the cluster in `dataDir` belongs to nobody, so that PostgreSQL runs as nobody. */
export function isOwnedByNobody(dataDir: string): boolean {
  return statSync(dataDir, { throwIfNoEntry: false })?.uid === nobody.uid;
}

/** Whether a user id has a name and is neither root nor nobody. Files of unnamed users came from another machine. */
function isRegularUser(uid: number, options: UserOptions): boolean {
  return uid !== 0 && uid !== nobody.uid && listPasswdEntries(options).some((entry) => entry.uid === uid);
}

/** Returns the system user of PostgreSQL, created if needed, or nobody if that fails. */
export async function findOrCreateUser(options: UserOptions): Promise<SystemUser> {
  const find = (): SystemUser | undefined => listPasswdEntries(options).find(({ name }) => name === databaseUserName);
  const found = find();
  if (found !== undefined) return found;
  if (!options.canCreate) return nobody;
  const reason = await createUser(() => find() !== undefined);
  const user = find();
  if (user === undefined) {
    options.onRefused(
      `PostgreSQL runs as nobody: the system user ${databaseUserName} could not be created (${reason}). ` +
        'Create it yourself and start again.',
    );
    return nobody;
  }
  options.onCreated(
    `Created the system user ${databaseUserName}: PostgreSQL runs as it, since it refuses to run as root`,
  );
  return user;
}

/** Commands of Debian, Fedora and Arch, then those of BusyBox. */
const createUserCommands: readonly (readonly string[])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false'],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false'],
];

/** Creates the user, and retries while another process creates one. Returns the reason if it fails. */
async function createUser(userExists: () => boolean): Promise<string> {
  let reason = '';
  for (let attempt = 1; attempt <= 5 && !userExists(); attempt += 1) {
    for (const [program = '', ...args] of createUserCommands) {
      const { status, stderr, error } = spawnSync(program, [...args, databaseUserName], {
        encoding: 'utf8',
        timeout: 10_000,
        env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
      });
      if (status === 0) return '';
      if (toError(error).code === 'ENOENT') continue;
      reason = error?.message ?? stderr.trim().replaceAll(/\s*\n\s*/g, '; ');
      break;
    }
    if (!/lock/i.test(reason)) break;
    await pause(200 * attempt);
  }
  return reason === '' ? 'neither useradd nor adduser is installed' : reason;
}

function listPasswdEntries({ passwdFile = '/etc/passwd' }: UserOptions): (SystemUser & { readonly name: string })[] {
  if (!existsSync(passwdFile)) return [];
  const lines = readFileSync(passwdFile, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/**
 * Changes the owner of the cluster to `user`. The cluster folder comes last, so that an interrupted change is completed
 * at the next start.
 */
export function chownCluster(dataDir: string, user: SystemUser): void {
  const { uid: owner } = lstatSync(dataDir);
  if (owner === user.uid) return;
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    chownIfOwnedBy(join(dataDir, name), owner, user);
  }
  chownIfOwnedBy(dataDir, owner, user);
}

/** Does not follow links, and leaves files of other users alone: the former owner may have created any. */
function chownIfOwnedBy(path: string, owner: number, user: SystemUser): void {
  if (lstatSync(path).uid === owner) lchownSync(path, user.uid, user.gid);
}

/** Returns the name of the user of this process. Throws EmbeddedError if it has none, as in some containers. */
export function currentUserName(): string {
  try {
    return userInfo().username;
  } catch {
    throw new EmbeddedError(
      `The user with the number ${process.getuid?.() ?? '?'} has no name on this machine, and PostgreSQL needs one. ` +
        'Add it to /etc/passwd, or start as another user.',
    );
  }
}
