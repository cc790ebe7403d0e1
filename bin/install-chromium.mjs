// Installs Chromium for the tests of the web client if it is missing: on Debian and Ubuntu, as root.
// Prints in one line why it cannot, and then fails only if CI is set.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const folders = (process.env.PATH ?? '').split(delimiter);
const isInstalled = () =>
  process.env.CHROMIUM !== undefined || names.some((name) => folders.some((folder) => existsSync(join(folder, name))));

if (!isInstalled()) {
  const problem = install();
  if (problem !== undefined) {
    console.error(`No browser for the tests of the web client: ${problem}`);
    process.exit(process.env.CI === undefined ? 0 : 1);
  }
}

function install() {
  if (!folders.some((folder) => existsSync(join(folder, 'apt-get')))) return 'install Chromium, or set CHROMIUM';
  if (process.getuid?.() !== 0) return 'run `apt-get install chromium` as root, or set CHROMIUM';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  const install = () => run('install', '--yes', '--quiet', '--no-install-recommends', 'chromium');
  // The package lists may be missing or old.
  if (!install() && !(run('update', '--quiet') && install())) return '`apt-get install chromium` failed';
  return isInstalled() ? undefined : 'the package chromium has no program of that name';
}
