import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wallTimeRules, type WallTimeRule } from '../wall-time.ts';

/** Files that need a clock or a timer for anything but an assertion, and why. */
const allowed: Readonly<Record<string, { readonly rules: readonly WallTimeRule[]; readonly reason: string }>> = {
  'server/platform/database/embedded/supervisor.test.ts': {
    rules: ['race'],
    reason: 'checks whether a promise is settled, without a timer',
  },
  'server/platform/ids.test.ts': { rules: ['clock'], reason: 'ids contain the current time' },
  'server/platform/outgoing/outgoing.test.ts': {
    rules: ['timer'],
    reason: 'hosts that answer slowly',
  },
  'server/platform/outgoing/outgoing-sockets.test.ts': { rules: ['timer'], reason: 'hosts that answer slowly' },
  'test/architecture.test.ts': { rules: ['clock', 'timer'], reason: 'searches the server for clocks and timers' },
  'test/databases.ts': { rules: ['timer'], reason: 'gives up on a pool whose connections are not returned' },
  'test/federation/delivery/delivery-pace.test.ts': { rules: ['timer'], reason: 'a host that answers slowly' },
  'test/ops/benchmarks/beside.test.ts': {
    rules: ['long timeout'],
    reason: 'a benchmark starts a server several times',
  },
  'test/ops/benchmarks/cluster.test.ts': { rules: ['long timeout'], reason: 'starts a dozen programs' },
  'test/ops/benchmarks/federation.test.ts': {
    rules: ['long timeout'],
    reason: 'a benchmark starts a server several times',
  },
  'test/ops/benchmarks/requests.test.ts': {
    rules: ['long timeout'],
    reason: 'a benchmark starts a server several times',
  },
  'test/ops/cluster.test.ts': { rules: ['long timeout'], reason: 'starts thirteen programs' },
  'test/ops/cluster-command.test.ts': {
    rules: ['long timeout', 'race'],
    reason: 'starts twelve programs, twice, and notices if the command ends',
  },
  'test/ops/release.test.ts': { rules: ['long timeout'], reason: 'writes a package of 300 MB twice, and installs it' },
  'test/ops/side-by-side.test.ts': { rules: ['long timeout'], reason: 'starts a dozen processes from sources' },
  'test/reporter.ts': { rules: ['clock'], reason: 'prints how long a run takes' },
  'test/server-imports/gotosocial-rows.ts': {
    rules: ['clock'],
    reason: 'only notifications of the last year are imported',
  },
  'test/server-imports/mastodon-rows.ts': {
    rules: ['clock'],
    reason: 'only addresses of the last year are imported',
  },
  'test/web/composer.test.ts': { rules: ['clock'], reason: 'schedules a post for next year' },
  'test/ops/first-start.test.ts': { rules: ['timer'], reason: 'a script of a package that runs until it is killed' },
  'test/ops/service.test.ts': { rules: ['long timeout'], reason: 'installs all packages and builds the web client' },
  'test/ops/cli-process.ts': { rules: ['timer'], reason: 'times out if a process prints nothing' },
  'test/ops/two-processes.test.ts': { rules: ['clock'], reason: 'a window of the rate limits may end during the test' },
  'test/platform/outages.test.ts': { rules: ['timer'], reason: 'keeps connections busy at the same time' },
  'test/platform/slow-requests.test.ts': { rules: ['timer'], reason: 'clients that send slowly' },
};

const files = [...globSync('server/**/*.test.ts'), ...globSync('test/**/*.ts')].filter(
  (file) => !/^test\/(?:wall-time\.ts|architecture\/wall-time\.test\.ts)$/.test(file),
);

test('no test depends on the speed of the machine', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const rules = wallTimeRules(readFileSync(file, 'utf8'));
    return rules.length === 0 ? [] : [[file, rules]];
  });
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(allowed).map(([file, { rules }]) => [file, rules])),
  );
});

test.for<[string, WallTimeRule]>([
  ['const started = Date.now();\nexpect(Date.now() - started).toBeLessThan(50);', 'clock'],
  ['const started = performance.now();', 'clock'],
  ["import { performance as watch } from 'node:perf_hooks';", 'clock'],
  ["const watch = await import('node:perf_hooks');", 'clock'],
  ['const { now } = Date;', 'clock'],
  ['const { now } = performance;', 'clock'],
  ['const Clock = Date;\nconst started = Clock.now();', 'clock'],
  ["const started = Date['now']();", 'clock'],
  ['const started = globalThis.performance.now();', 'clock'],
  ['const started = new Date();\nexpect(Number(new Date()) - Number(started)).toBeLessThan(1_000);', 'clock'],
  ['expect(+new Date() - started).toBeLessThan(1_000);', 'clock'],
  ['const started = +new Date;', 'clock'],
  ['const now = () => new Date().getTime();', 'clock'],
  ['const times = { started: new Date().getTime() };', 'clock'],
  ['const started = Date.parse(Date());', 'clock'],
  ['const started = process.hrtime.bigint();', 'clock'],
  ['const { hrtime } = process;', 'clock'],
  ['const started = process.uptime();', 'clock'],
  ["console.time('work');", 'clock'],
  ['const started = Temporal.Now.instant();', 'clock'],
  ['await sql`select clock_timestamp() as started`.execute(db);', 'clock'],
  ['expect(`${Date.now() - started}`).toBe(1);', 'clock'],
  ['setTimeout(() => (late = true), 500);', 'timer'],
  ["import { setTimeout as pause } from 'node:timers/promises';", 'timer'],
  ["import { scheduler } from 'node:timers/promises';", 'timer'],
  ['await fetch(url, { signal: AbortSignal.timeout(500) });', 'timer'],
  ['await sql`select pg_sleep(1)`.execute(db);', 'timer'],
  ["expect(await Promise.race([work(), pause(50, 'late')])).toBe('done');", 'race'],
  ['await Promise.any([slow, quick]);', 'race'],
  ["test('quick', { timeout: 500 }, async () => {});", 'short timeout'],
  ['await expect.poll(read, { timeout: 2 * 1_000 }).toBe(1);', 'short timeout'],
  ['await vi.waitFor(read, { timeout: 900 });', 'short timeout'],
  ['vi.setConfig({ testTimeout: 1_000 });', 'short timeout'],
  ["test('quick', async () => {\n  await work();\n}, 500);", 'short timeout'],
  ['const timeout = 240_000;', 'long timeout'],
  ['const poolTimes = { ...poolTimeouts, statementMs: 400 };', 'short server timeout'],
])('a test that measures time is reported: %s', ([text, rule]) => {
  expect(wallTimeRules(text)).toContain(rule);
});

test.for([
  '// Date.now() in a comment\n/* performance.now() */',
  "test('Date.now() and performance.now() in a name', () => {});",
  'await set(bob.id, { suspended_at: new Date() });',
  "expect(new Date('2026-01-01').getTime()).toBe(Date.parse('2026-01-01'));",
  'const expected = expect.any(Date) as Date;',
  'const cpuMs = countCpuTime();\nexpect(cpuMs()).toBeLessThan(3_000);',
  "test('slow', { timeout: 120_000 }, async () => {});",
  'const poolTimes = { ...poolTimeouts, lockMs: 3_000 };',
  'server.clock.advance(60);\nconst now = server.clock.now();',
  'await new Promise((resolve) => setImmediate(resolve));',
])('a test that does not measure time is not reported: %s', (text) => {
  expect(wallTimeRules(text)).toEqual([]);
});
