import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { requireProgram, skipUnlessCi } from '../programs.ts';
import { findFreePort } from '../free-port.ts';
import { CliProcess } from './cli-process.ts';
import { serviceScript, Unit } from './service-mounts.ts';
import { listTagged } from './tagged-processes.ts';

const root = join(import.meta.dirname, '..', '..');
/** The user `nobody`, in place of `fieldfare`. */
const uid = 65534;
/** An older version of a package, and one that is no longer needed. */
const outdated = { pg: '8.0.0', 'no-longer-needed': '1.0.0' };

/** A checkout of Fieldfare before an update, which belongs to the user of the service. */
class ServiceCheckout implements Disposable {
  readonly tag = `ff-service-${randomUUID()}`;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ff-service-'));

  constructor(port: number) {
    const files = execFileSync('git', ['ls-files', '-z', '--', ':!test', ':!bench'], { cwd: root, encoding: 'utf8' });
    for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
      cpSync(join(root, file), this.path(file));
    writeFileSync(this.path('.env'), `PORT=${port}\nBASE_URL=http://localhost:${port}\n`);
    mkdirSync(this.path('data'));
    this.#writeOutdatedPackages();
    this.#copyCacheOfNpm();
    execFileSync('chown', ['--recursive', `${uid}:${uid}`, this.#folder]);
  }

  path(name: string): string {
    return join(this.#folder, 'checkout', name);
  }

  versionOf(name: string): string | undefined {
    const file = this.path(`node_modules/${name}/package.json`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;
  }

  /** Folders of builds of the web client that are not finished. */
  get unfinishedBuilds(): string[] {
    return readdirSync(this.path('web')).filter((name) => name.startsWith('dist-'));
  }

  start(): CliProcess {
    const script = serviceScript(Unit.read(), { checkout: this.path('.'), cache: join(this.#folder, 'cache'), uid });
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    const settings = [`TAG=${this.tag}`, `npm_config_registry=${registry}`, 'npm_config_prefer_offline=true'];
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...settings];
    return new CliProcess(spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** The packages as `npm ci` of an older version left them. */
  #writeOutdatedPackages(): void {
    for (const [name, version] of Object.entries(outdated)) {
      mkdirSync(this.path(`node_modules/${name}`), { recursive: true });
      writeFileSync(this.path(`node_modules/${name}/package.json`), JSON.stringify({ name, version }));
    }
    const packages = Object.fromEntries(
      Object.entries(outdated).map(([name, version]) => [`node_modules/${name}`, { version }]),
    );
    const lock = { name: 'fieldfare', lockfileVersion: 3, requires: true, packages };
    writeFileSync(this.path('node_modules/.package-lock.json'), JSON.stringify(lock));
    // Older than the lock file of the update.
    execFileSync('touch', ['--date', '2020-01-01', this.path('node_modules/.package-lock.json')]);
  }

  /** Packages that were downloaded on this machine are not downloaded again. */
  #copyCacheOfNpm(): void {
    const cache = join(process.env['npm_config_cache'] ?? join(homedir(), '.npm'), '_cacache');
    mkdirSync(join(this.#folder, 'cache'));
    if (existsSync(cache)) cpSync(cache, join(this.#folder, 'cache', '_cacache'), { recursive: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function requireNamespaces(context: TestContext): void {
  requireProgram(context, 'unshare', 'setpriv', 'npm');
  if (spawnSync('unshare', ['--mount', 'mount', '--make-rprivate', '/']).status !== 0)
    skipUnlessCi(context, 'this user may not create mount namespaces');
  if (Unit.read().require('ExecStart') !== '/usr/bin/npm start') throw new Error('the unit starts something else');
  if (!existsSync('/usr/bin/npm')) skipUnlessCi(context, 'there is no /usr/bin/npm');
}

test(
  'the systemd unit installs an update, builds the client and serves below its read-only mounts',
  { timeout: 600_000 },
  async (context) => {
    requireNamespaces(context);
    const port = await findFreePort();
    using checkout = new ServiceCheckout(port);
    const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };

    // A signal during the build ends everything, and leaves no half of a build.
    const stopped = checkout.start();
    let ended = false;
    void stopped.exited.then(() => (ended = true));
    await expect.poll(() => ended || checkout.unfinishedBuilds.length > 0, { timeout: 400_000 }).toBe(true);
    const { stdout, stderr } = await stopped.kill('SIGTERM');
    expect(stderr).toContain('Installing packages.');
    expect(`${stdout}${stderr}`).not.toContain('Fieldfare is ready');
    expect(checkout.unfinishedBuilds, stderr).toEqual([]);
    expect(listTagged(checkout.tag)).toEqual([]);
    expect(Object.keys(outdated).map((name) => checkout.versionOf(name))).toEqual([
      locked.packages['node_modules/pg']?.version,
      undefined,
    ]);

    // systemctl restart
    const service = checkout.start();
    await service.waitForOutput('Fieldfare is ready');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    expect(existsSync(checkout.path('web/dist/.sources'))).toBe(true);
    const end = await service.kill('SIGTERM');
    expect(end.stderr).not.toContain('Installing packages.');
    expect(end.stdout, end.stderr).toContain('Stopped');
    expect(listTagged(checkout.tag)).toEqual([]);
  },
);
