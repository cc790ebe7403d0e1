import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of this checkout. */
export const root = join(import.meta.dirname, '..', '..');

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** Returns the full id of a commit. Throws if there is none. */
export const findCommit = (name: string): string => git('rev-parse', '--verify', `${name}^{commit}`);

/** Checks a commit out in a new folder. It uses the packages of this checkout if it has the same, else it installs its own. */
export function checkOut(commit: string, folder: string): void {
  git('worktree', 'add', '--quiet', '--detach', folder, commit);
  const readLock = (checkout: string): string => readFileSync(join(checkout, 'package-lock.json'), 'utf8');
  if (readLock(folder) === readLock(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--include=dev'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Removes a checkout. */
export const removeCheckout = (folder: string): string => git('worktree', 'remove', '--force', folder);

/** Returns the shell command that starts the server of a checkout. */
export function startCommand(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return manifest.scripts.start;
}
