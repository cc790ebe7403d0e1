import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { createMigratedDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, 'deploy', 'containers', name), 'utf8');

/** Returns the lines of a service in a compose file. */
function serviceOf(file: string, name: string): string {
  const [, lines = ''] = new RegExp(`^  ${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(file) ?? [];
  expect(lines, name).not.toBe('');
  return lines;
}

/** Returns the words of the health check of a service: images that Podman builds by default have none. */
function healthCheckOf(service: string): string[] {
  const [, words] = /^ {4}healthcheck:\n {6}test: \[CMD, (.*)\]$/m.exec(service) ?? [];
  return (words ?? '').split(', ');
}

test('images, and the services of one machine, have the health check of the role web', () => {
  const [, inImage = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(read('Containerfile')) ?? [];
  const web = ['/opt/fieldfare/fieldfare-health', 'web'];
  expect(JSON.parse(inImage)).toEqual(web);
  expect(healthCheckOf(serviceOf(read('compose.yaml'), 'fieldfare'))).toEqual(web);
});

test('the health check of each role notices whether its process serves', async () => {
  await using database = await createMigratedDatabase();
  const port = await findFreePort();
  const settings = { PORT: String(port), METRICS_PORT: String(await findFreePort()) };
  await using installation = new DatabaseInstallation(database, settings);
  for (const [role, ready] of [
    ['web', 'Fieldfare is ready'],
    ['streaming', 'Fieldfare is ready'],
    ['worker', 'Fieldfare is running jobs'],
  ] as const) {
    const service = serviceOf(read('compose.cluster.yaml'), role);
    expect(service).toContain(`command: [serve, --roles, ${role}]`);
    const [program = '', ...args] = healthCheckOf(service);
    // It runs this with the Node of the release (test/ops/release.test.ts).
    expect(program).toBe('/opt/fieldfare/fieldfare-health');
    const check = (): number | null =>
      spawnSync(process.execPath, ['bin/health.mjs', ...args], {
        cwd: root,
        env: { PATH: process.env['PATH'], ...settings },
      }).status;
    expect(check(), role).toBe(1);
    const server = installation.run(['serve', '--roles', role]);
    await server.waitForOutput(ready);
    expect(check(), role).toBe(0);
    await server.kill('SIGTERM');
    expect(check(), role).toBe(1);
  }
});

test('a health check that cannot work says why', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['bin/health.mjs', ...args], { cwd: root, env: {}, encoding: 'utf8' });
  expect(run('cook')).toMatchObject({ status: 1, stderr: 'cook: no such role; there are web, streaming, worker\n' });
  expect(run('worker')).toMatchObject({
    status: 1,
    stderr: 'worker: set METRICS_PORT: a worker serves nothing else\n',
  });
});

test('the processes of the cluster wait for services that have a health check', () => {
  const cluster = read('compose.cluster.yaml');
  const [, waits = ''] = /^ {2}depends_on:\n((?: {4}.*\n)+)/m.exec(cluster) ?? [];
  const names = [...waits.matchAll(/^ {4}(\w+): \{ condition: service_healthy \}$/gm)].map(([, name]) => name);
  expect(names).toEqual(['postgres', 'valkey']);
  for (const name of names) expect(serviceOf(cluster, name ?? '')).toMatch(/^ {4}healthcheck:\n {6}test: \[CMD, /m);
});
