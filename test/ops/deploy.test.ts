import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
