// The programs that tests run if they are installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whole browsers, the first that is found. */
export const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** Needs two thirds of the CPU of a whole browser, and has no notifications. */
export const headlessShell = 'chromium-headless-shell';

/**
 * Programs by their packages. Any of `names` will do, or the program that `setting` names. Tests run without those that are
 * optional, but slower.
 */
export const testPrograms = [
  { package: 'chromium', names: browsers, setting: 'CHROMIUM' },
  { package: headlessShell, names: [headlessShell], setting: 'CHROMIUM', isOptional: true },
  { package: 'caddy', names: ['caddy'] },
  { package: 'ffmpeg', names: ['ffmpeg'], setting: 'FFMPEG' },
  { package: 'haproxy', names: ['haproxy'] },
  { package: 'nginx', names: ['nginx'] },
  { package: 'openssl', names: ['openssl'] },
  { package: 'prometheus', names: ['promtool'] },
  { package: 'redis-server', names: ['redis-server'] },
  { package: 'systemd', names: ['systemd-analyze'] },
  { package: 'util-linux', names: ['unshare'] },
];

/** Whether a version of PgBouncer keeps prepared statements when it lends its connections for a transaction. */
export function isNewPooler(version) {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 1 || minor >= 21;
}

/** Returns the path of a PgBouncer that is new enough; undefined if there is none. Tests of poolers are skipped then. */
export function findPooler() {
  const path = findProgram('pgbouncer');
  if (path === undefined) return undefined;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return isNewPooler(/\d+\.\d+/.exec(stdout ?? '')?.[0] ?? '') ? path : undefined;
}

/** Returns the path of a program in PATH; undefined if there is none. */
export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const isMissing = ({ names, setting }) =>
  (setting === undefined || process.env[setting] === undefined) &&
  names.every((name) => findProgram(name) === undefined);
