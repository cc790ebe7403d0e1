import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { requireProgram, skipUnlessCi } from '../programs.ts';
import { Installation } from './cli-process.ts';
import { createMigratedDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { startMigratedPostgres } from './migrated-postgres.ts';

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

test('images have the health check of the roles of their container, and the services of one machine that of web', () => {
  const [, inImage = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(read('Containerfile')) ?? [];
  expect(JSON.parse(inImage)).toEqual(['/opt/fieldfare/fieldfare-health']);
  expect(healthCheckOf(serviceOf(read('compose.yaml'), 'fieldfare'))).toEqual([
    '/opt/fieldfare/fieldfare-health',
    'web',
  ]);
});

test('without a role, the health check takes that of the first process of the container', (context) => {
  requireProgram(context, 'unshare');
  if (process.getuid?.() !== 0) skipUnlessCi(context, 'this user may not create process namespaces');
  /** Returns the role that is checked in a container whose first process has these arguments. Nothing listens there. */
  const checkedRole = (...args: readonly string[]): string => {
    const script = `"${process.execPath}" "${join(root, 'bin/health.mjs')}"; exit $?`;
    const container = ['--pid', '--fork', '--mount-proc', 'sh', '-c', script, 'fieldfare', ...args];
    const { status, stderr } = spawnSync('unshare', container, { env: { PORT: '9' }, encoding: 'utf8' });
    expect(status).toBe(1);
    return stderr.slice(0, stderr.indexOf(':'));
  };
  expect(checkedRole('serve')).toBe('web');
  expect(checkedRole('serve', '--roles', 'worker', '--queues', 'mail')).toBe('worker');
  expect(checkedRole('serve', '--roles=streaming')).toBe('streaming');
  expect(checkedRole('serve', '--roles', 'worker, web')).toBe('web');
});

test('every role answers for its health on METRICS_PORT, also while the database is away', async () => {
  await using postgres = await startMigratedPostgres();
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  await using installation = new Installation({
    DATABASE_URL: postgres.url(),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  });
  const read = async (path: string): Promise<[number, string]> => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}${path}`);
    return [response.status, await response.text()];
  };
  for (const role of ['web', 'streaming', 'worker']) {
    const server = installation.run(['serve', '--roles', role]);
    await server.waitForOutput(role === 'worker' ? 'Fieldfare is running jobs' : 'Fieldfare is ready');
    expect([await read('/health'), await read('/health/ready'), (await read('/metrics'))[1]], role).toEqual([
      [200, 'OK'],
      [200, 'OK'],
      expect.stringContaining('fieldfare_info'),
    ]);
    if (role === 'worker') {
      await postgres.kill();
      await expect.poll(() => read('/health/ready')).toEqual([503, 'The database does not answer']);
      expect(await read('/health')).toEqual([200, 'OK']);
      await postgres.restart();
      await expect.poll(() => read('/health/ready')).toEqual([200, 'OK']);
    }
    await server.kill('SIGTERM');
  }
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
