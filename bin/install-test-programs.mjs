// Installs the programs that tests run, if they are missing: on Debian and Ubuntu, as root. Services that come with them are
// neither started nor enabled. Prints in one line each why a program is missing, and then fails only if CI is set.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { installPooler } from './install-pooler.mjs';
import { findPooler, findProgram, isMissing, testPrograms } from './test-programs.mjs';

/** The services of the packages. */
const services = ['caddy', 'haproxy', 'nginx', 'pgbouncer', 'prometheus', 'redis-server'];
/** Asked by Debian's packages before they start a service. */
const policyFile = '/usr/sbin/policy-rc.d';

const missing = testPrograms.filter(isMissing);
const required = missing.filter(({ isOptional }) => !isOptional);
const problem = required.length === 0 ? undefined : install(required.map((program) => program.package));
// By themselves: not every system has their packages.
for (const program of missing) if (program.isOptional) install([program.package]);
const failed = required.filter(isMissing);
for (const { package: name, setting } of failed) {
  const remedy = setting === undefined ? '' : `, or set ${setting}`;
  console.error(`Tests that need ${name} are skipped: ${problem ?? 'its package has no such program'}${remedy}`);
}
// Only on a system that can install it.
const needsPooler = findPooler() === undefined && findProgram('apt-get') !== undefined;
const poolerProblem = needsPooler ? await installPooler(install) : undefined;
if (poolerProblem !== undefined) console.error(`Tests that need pgbouncer are skipped: ${poolerProblem}`);
if ((failed.length > 0 || poolerProblem !== undefined) && process.env.CI !== undefined) process.exit(1);

/** Installs packages. Returns why it cannot. */
function install(packages) {
  if (findProgram('apt-get') === undefined) return 'install it';
  if (process.getuid?.() !== 0) return 'run `node bin/install-test-programs.mjs` as root';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  const installAll = () => run('install', '--yes', '--quiet', '--no-install-recommends', ...packages);
  const hasPolicy = existsSync(policyFile);
  // 101: the action is forbidden.
  if (!hasPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    // The package lists may be missing or old.
    if (!installAll() && !(run('update', '--quiet') && installAll())) return `\`apt-get install\` failed`;
  } finally {
    if (!hasPolicy) rmSync(policyFile, { force: true });
  }
  const installed = services.filter((name) => packages.includes(name));
  // Also those of the next start of the machine.
  if (installed.length > 0 && findProgram('systemctl') !== undefined)
    spawnSync('systemctl', ['--quiet', 'disable', ...installed]);
  return undefined;
}
