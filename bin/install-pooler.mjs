// Installs PgBouncer for tests: as a package if that is new enough, else built from Debian's source. As root, on Debian and Ubuntu.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNewPooler } from './test-programs.mjs';

const source = {
  url: 'http://deb.debian.org/debian/pool/main/p/pgbouncer/pgbouncer_1.24.1.orig.tar.gz',
  sha256: 'da72a3aba13072876d055a3e58dd4aba4a5de4ed6148e73033185245598fd3e0',
};
const tools = ['gcc', 'make', 'pkg-config', 'libevent-dev', 'libssl-dev'];

/**
 * Installs PgBouncer. `installPackages`: installs Debian packages, and returns why it cannot. Returns why PgBouncer could not
 * be installed.
 */
export async function installPooler(installPackages) {
  const policy = spawnSync('apt-cache', ['policy', 'pgbouncer'], { encoding: 'utf8' }).stdout ?? '';
  if (isNewPooler(/Candidate: (\S+)/.exec(policy)?.[1] ?? '')) return installPackages(['pgbouncer']);
  const problem = installPackages(tools);
  if (problem !== undefined) return problem;
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  try {
    const response = await fetch(source.url, { signal: AbortSignal.timeout(60_000) });
    const archive = Buffer.from(await response.arrayBuffer());
    if (createHash('sha256').update(archive).digest('hex') !== source.sha256) return `${source.url} has changed`;
    writeFileSync(join(folder, 'source.tar.gz'), archive);
    const build = `tar xf source.tar.gz --strip-components=1 && ./configure && make -j2 && install -m 755 pgbouncer /usr/local/bin/`;
    const { status } = spawnSync('sh', ['-c', build], { cwd: folder, stdio: 'ignore' });
    return status === 0 ? undefined : 'it could not be built';
  } catch (error) {
    return `its source could not be fetched: ${error.message}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
