import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import { roles } from '../../server/cli/serve/serve-options.ts';
import { maxDrainMs } from '../../server/cli/serve/start-server.ts';
import { parseConfig, settings } from '../../server/platform/config.ts';
import { maxCloseMs } from '../../server/platform/create-app.ts';
import { requireProgram } from '../programs.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const serviceFile = 'deploy/systemd/fieldfare.service';
const composeFiles = ['deploy/containers/compose.yaml', 'deploy/containers/compose.cluster.yaml'];

function makeFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'fieldfare-deploy-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test('every setting in the files for containers exists', () => {
  const settings = new Set([...read('docs/configuration.md').matchAll(/^### (\w+)/gm)].map(([, name]) => name));
  // Of the other programs: Caddy and PostgreSQL.
  const others = ['DOMAIN', 'POSTGRES_PASSWORD', 'POSTGRES_USER', 'STREAMING_UPSTREAM', 'UPSTREAM'];
  for (const file of composeFiles) {
    const blocks = read(file).matchAll(/\n( +)environment:.*\n((?:\1 +.*\n)+)/g);
    const names = [...blocks].flatMap(([, , lines = '']) =>
      [...lines.matchAll(/^\s+([A-Z0-9_]+):/gm)].map(([, name = '']) => name),
    );
    expect(names.length, file).toBeGreaterThan(5);
    expect(
      names.filter((name) => !settings.has(name) && !others.includes(name)),
      file,
    ).toEqual([]);
  }
  const image = read('deploy/containers/Containerfile');
  const [, inImage = ''] = /^ENV (.*)$/m.exec(image) ?? [];
  const imageNames = [...inImage.matchAll(/(\w+)=/g)].map(([, name]) => name);
  expect(imageNames.filter((name) => name !== 'NODE_ENV' && !settings.has(name))).toEqual([]);
});

/** Returns what a pattern finds in a file, by its first group. */
const findAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

test('images name their registry: Podman on Debian searches none', () => {
  const files = [...composeFiles, 'deploy/containers/Containerfile'];
  const names = files.flatMap((file) => findAll(read(file), /^(?: +image:|FROM) (\S+)$/gm));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !/^(?:localhost|[\w-]+(?:\.[\w-]+)+)\//.test(name))).toEqual([]);
});

test('the manifests for Kubernetes name settings, roles, ports and probes that exist, and give time to drain', () => {
  const folder = 'deploy/kubernetes';
  const files = readdirSync(join(root, folder)).filter((name) => name !== 'kustomization.yaml');
  expect(findAll(read(`${folder}/kustomization.yaml`), /^ {2}- (\S+\.yaml)$/gm).toSorted()).toEqual(files.toSorted());
  const given = findAll(read(`${folder}/settings.yaml`), /^ {2}([A-Z0-9_]+):/gm);
  const used = files.flatMap((file) => findAll(read(`${folder}/${file}`), /^ +- name: ([A-Z0-9_]+)$/gm));
  expect(given.length).toBeGreaterThan(5);
  expect([...given, ...used].filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  const paths = new Set(routes.map(({ path }) => path));
  for (const role of roles) {
    const manifest = read(`${folder}/${role}.yaml`);
    expect(findAll(manifest, /args: \[serve, --roles, (\w+)\]/g)).toEqual([role]);
    const probes = findAll(manifest, /^ {14}path: (\S+)$/gm);
    expect(probes.length, role).toBeGreaterThan(0);
    expect(probes.filter((path) => !paths.has(path))).toEqual([]);
    for (const probe of ['startup', 'liveness', 'readiness']) expect(manifest).toContain(`${probe}Probe:`);
    const port = findAll(manifest, /containerPort: (\d+)/g)[0];
    const [metricsPort] = findAll(manifest, /METRICS_PORT\n +value: '(\d+)'/g);
    expect(port).toBe(role === 'worker' ? metricsPort : String(parseConfig({}).PORT));
    const [grace, pause] = [/terminationGracePeriodSeconds: (\d+)/g, /preStop:\n +sleep:\n +seconds: (\d+)/g].map(
      (pattern) => Number(findAll(manifest, pattern)[0]),
    );
    // The leases are freed before the connections are closed.
    expect(grace).toBeGreaterThan((pause ?? Infinity) + (maxDrainMs + 2 * maxCloseMs) / 1_000);
  }
});

test('systemd accepts the unit', (context) => {
  requireProgram(context, 'systemd-analyze');
  using folder = makeFolder();
  const unit = join(folder.path, 'fieldfare.service');
  // The programs of the unit must exist for the check.
  writeFileSync(unit, read(serviceFile).replace('/usr/bin/npm', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  const complaints = stderr.split('\n').filter((line) => line.includes('fieldfare.service'));
  expect([status, complaints]).toEqual([0, []]);
});

test('the documents run what changes the checkout as the user of the unit, and restart its service', () => {
  const [, user = ''] = /^User=(\S+)$/m.exec(read(serviceFile)) ?? [];
  const document = read('docs/operations.md');
  expect(document).toContain(`runuser -u ${user} -- git -C /opt/fieldfare pull`);
  expect(document).toContain('systemctl restart fieldfare');
  expect(document).toContain(`runuser -u ${user} -- npm run cli -- doctor`);
});
