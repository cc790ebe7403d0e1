import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { metricSources } from '../../server/app.ts';
import { ConfigError, parseConfig } from '../../server/platform/config.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { startMetrics } from '../../server/platform/metrics/collector.ts';
import { serveMetrics } from '../../server/platform/metrics/serve-metrics.ts';
import { valkeyWatch } from '../../server/platform/valkey-watch.ts';
import { startServer, type TestServer } from '../server.ts';
import { ValkeyServer } from '../valkey-server.ts';

const token = 'a-token-for-prometheus';
const withToken = { headers: { authorization: `Bearer ${token}` } };

async function startMeasuredServer(): Promise<TestServer> {
  const server = await startServer({ settings: { METRICS_TOKEN: token } });
  await startMetrics(server.app, metricSources);
  return server;
}

/** Returns the values of a metric by their labels, as text. */
const valuesOf = (text: string, name: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [
      labels,
      Number(value),
    ]),
  );

test('/metrics exists only with a token in the settings, and only for callers with it', async () => {
  await using plain = await startServer();
  expect((await plain.anonymous.get('/metrics', withToken)).status).toBe(404);
  await using server = await startMeasuredServer();
  const alice = await server.user('alice');
  for (const client of [server.anonymous, alice]) expect((await client.get('/metrics')).status).toBe(401);
  const wrong = { headers: { authorization: `Bearer ${token}x` } };
  expect((await server.anonymous.get('/metrics', wrong)).status).toBe(401);
  const { status, text, headers } = await server.anonymous.get('/metrics', withToken);
  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  expect(valuesOf(text, 'fieldfare_info')).toEqual({ [`version="${await currentVersion()}"`]: 1 });
});

const currentVersion = async (): Promise<string> => (await import('../../server/platform/version.ts')).version;

test('requests are counted by route and status, jobs by queue, age and result, with the load of the database', async () => {
  await using server = await startMeasuredServer();
  const alice = await server.user('alice');
  await alice.post('/api/v1/statuses', { status: 'Hello' });
  await alice.get('/api/v1/statuses/1');
  await alice.get('/api/v1/statuses/2');
  await alice.get('/nowhere');
  const read = async (): Promise<string> => (await server.anonymous.get('/metrics', withToken)).text;
  const before = await read();
  expect(valuesOf(before, 'fieldfare_http_requests_total')).toMatchObject({
    'method="POST",route="/api/v1/statuses",status="200"': 1,
    'method="GET",route="/api/v1/statuses/:id",status="404"': 2,
    'method="GET",route="unknown",status="404"': 1,
  });
  expect(valuesOf(before, 'fieldfare_http_request_duration_seconds_count')).toMatchObject({
    'method="GET",route="/api/v1/statuses/:id"': 2,
  });
  expect(Object.values(valuesOf(before, 'fieldfare_jobs')).reduce((sum, value) => sum + value)).toBeGreaterThan(0);
  expect(valuesOf(before, 'fieldfare_database_statements_total')['']).toBeGreaterThan(0);
  expect(valuesOf(before, 'fieldfare_cache_entries')['cache="oauth.callers"']).toBe(1);

  server.clock.advance(60);
  expect(Math.max(...Object.values(valuesOf(await read(), 'fieldfare_jobs_oldest_due_seconds')))).toBeGreaterThan(50);
  await server.drain();
  const after = await read();
  expect(valuesOf(after, 'fieldfare_jobs')).toEqual({});
  expect(Object.keys(valuesOf(after, 'fieldfare_job_attempts_total'))).toContain(
    'job="feed.fan_out_status",result="done"',
  );
});

test('a metric that cannot be collected does not hide the others', async () => {
  await using server = await startMeasuredServer();
  const rename = (from: string, to: string) =>
    transaction(server.app, ({ db }) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db));
  await rename('deliveries', 'lost');
  const { status, text } = await server.anonymous.get('/metrics', withToken);
  expect(status).toBe(200);
  expect(valuesOf(text, 'fieldfare_deliveries')).toEqual({});
  expect(valuesOf(text, 'fieldfare_streams')).toEqual({ '': 0 });
  await rename('lost', 'deliveries');
});

/** What `promtool check metrics` finds as well: names of other metrics of a family, and units that are no base units. */
test('metrics have names as Prometheus recommends, and a help text', async () => {
  await using server = await startMeasuredServer();
  const { text } = await server.anonymous.get('/metrics', withToken);
  const kinds = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const help = new Set([...text.matchAll(/^# HELP (\w+) \S/gm)].map(([, name]) => name));
  expect(kinds.length).toBeGreaterThan(20);
  for (const [, name = '', kind] of kinds) {
    expect(help, name).toContain(name);
    expect(name.endsWith('_total'), name).toBe(kind === 'counter');
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name).not.toMatch(/_(?:milliseconds|minutes|hours|kilobytes|megabytes|percent|count|sum|bucket)(?:_|$)/);
  }
});

const promtool = spawnSync('promtool', ['--version']).error === undefined;

test.skipIf(!promtool && process.env['CI'] === undefined)('promtool accepts the metrics', async () => {
  expect(promtool, 'promtool is part of the Debian package prometheus').toBe(true);
  await using server = await startMeasuredServer();
  const { text } = await server.anonymous.get('/metrics', withToken);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});

test('whether Valkey answers is logged when it changes, and shown by metrics and by /health/ready', async () => {
  await using valkey = new ValkeyServer();
  await valkey.start();
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const settings = { METRICS_TOKEN: token, VALKEY_URL: valkey.url, RATE_LIMITS: 'off' };
  await using server = await startServer({ settings, log });
  await startMetrics(server.app, metricSources);
  const readMetric = async (): Promise<Record<string, number>> =>
    valuesOf((await server.anonymous.get('/metrics', withToken)).text, 'fieldfare_service_available');
  const readReady = async (): Promise<[number, string]> => {
    const { status, text } = await server.anonymous.get('/health/ready');
    return [status, text];
  };
  expect([await readMetric(), await readReady()]).toEqual([{}, [200, 'OK']]);
  const stop = valkeyWatch(server.app).start();
  await expect.poll(readMetric).toEqual({ 'service="valkey"': 1 });
  await valkey.stop();
  await expect.poll(readMetric).toEqual({ 'service="valkey"': 0 });
  expect(await readReady()).toEqual([200, 'OK\nValkey does not answer']);
  await valkey.start();
  await expect.poll(readMetric).toEqual({ 'service="valkey"': 1 });
  expect(await readReady()).toEqual([200, 'OK']);
  stop();
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 50, msg: expect.stringMatching(/^Valkey does not answer: /) as string }),
    expect.objectContaining({ level: 30, msg: 'Valkey answers again' }),
  ]);
});

test('metrics are served on a port of their own without a token', async () => {
  await using server = await startServer({ settings: { METRICS_PORT: '0' } });
  await startMetrics(server.app, metricSources);
  expect((await server.anonymous.get('/metrics')).status).toBe(404);
  const metrics = await serveMetrics(server.app, { host: '127.0.0.1', port: 0 });
  try {
    const { port } = metrics.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([response.status, (await response.text()).includes('nodejs_eventloop_lag_p99_seconds')]).toEqual([
      200,
      true,
    ]);
  } finally {
    metrics.closeAllConnections();
    metrics.close();
  }
});

test('a short token is refused when the server starts', () => {
  expect(() => parseConfig({ METRICS_TOKEN: 'short' })).toThrow(ConfigError);
});

test('the dashboard for Grafana reads only metrics that exist', async () => {
  await using server = await startMeasuredServer();
  const { text } = await server.anonymous.get('/metrics', withToken);
  const declared = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const file = join(import.meta.dirname, '..', '..', 'deploy', 'monitoring', 'grafana-dashboard.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expect(panels.length).toBeGreaterThan(10);
  for (const { title, targets } of panels) {
    const names = targets.flatMap(({ expr }) => expr.match(/\b(?:fieldfare|nodejs|process)_\w+/g) ?? []);
    expect(names.length, title).toBeGreaterThan(0);
    for (const name of names) expect(declared, title).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
  }
});
