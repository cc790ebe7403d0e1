// Measures another server with the Mastodon API and this one by turns: npm run bench -- beside URL TOKEN [--pid ID]…
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import type { App } from '../../server/platform/app.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import { measureUsage } from '../cpu.ts';
import { sendLoad } from '../send-load.ts';
import { createNotifications, listBusiestAccounts, userCreator, waitForJobs } from '../scene.ts';
import { SeededServer } from '../seeded-server.ts';
import { discoverRows, type ApiServer, type BesideRow } from './discover-rows.ts';
import { renderBeside, type RowCost, type RowCosts } from './render-beside.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A process of the other server on this machine; its tree is measured. Its database may need one more. */
    pid: { type: 'string', multiple: true, default: [] },
    accounts: { type: 'string', default: '2000' },
    statuses: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    /** Of each row in a round. */
    requests: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '16' },
    /** Measures only the rows whose names contain one of these texts. */
    only: { type: 'string', multiple: true },
    port: { type: 'string', default: '3994' },
    /** A folder that is filled with demo data for this server the first time, and kept. Default: a temporary one. */
    data: { type: 'string' },
  },
});
const [origin, token] = positionals;
if (origin === undefined || token === undefined) {
  process.stderr.write('Usage: npm run bench -- beside URL TOKEN [--pid ID]… [--rounds 5] [--requests 2000] …\n');
  process.exit(1);
}

/** One of the two servers. */
interface Side extends ApiServer {
  /** Empty if its CPU is not known. */
  readonly processIds: readonly number[];
  readonly rows: readonly BesideRow[];
}

const quietPauseMs = 200;
const maxQuietPauses = 50;
const rounds = Number(values.rounds);
const measuresCpu = values.pid.length > 0;
const rival = { origin: new URL(origin).origin, token, processIds: values.pid.map(Number) };
const seeded = new SeededServer({ name: 'beside', dataDir: values.data, ...values });
try {
  await seeded.run(manifest.scripts.start, async (app, { id }) => {
    const own = { origin: seeded.origin, token: await createReader(app), processIds: measuresCpu ? [id] : [] };
    const sides = await Promise.all([own, rival].map(async (side) => ({ ...side, rows: await discoverRows(side) })));
    process.stdout.write(renderBeside(await compare(sides), { origin: rival.origin, measuresCpu }));
  });
} finally {
  seeded.close();
}
process.exit(0);

/** Creates a user who follows the busiest accounts and has notifications. Returns a token. */
async function createReader(app: App): Promise<string> {
  const create = await userCreator(app);
  const reader = await create(`beside${Date.now().toString(36)}`);
  const busy = await listBusiestAccounts(app, [reader]);
  for (const { id } of busy) await followAccount(app, reader.accountId, id);
  await createNotifications(app, reader.accountId, busy);
  await waitForJobs(app);
  return reader.token;
}

/** Measures each row on both servers in each round; the first one takes turns. The first round warms up. */
async function compare(sides: readonly Side[]): Promise<RowCosts[]> {
  const names = sides[0]?.rows.map(({ name }) => name) ?? [];
  const selected = names.filter((name) => values.only?.some((text) => name.includes(text)) ?? true);
  const results = selected.map((name) => ({ name, sides: sides.map((): RowCost[] => []) }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const result of results) {
      process.stderr.write(`Round ${round} of ${rounds}: ${result.name}\n`);
      for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const [side, row] = [sides[at], sides[at]?.rows.find(({ name }) => name === result.name)];
        if (side === undefined || row === undefined) continue;
        const cost = await measureRow(side, row);
        if (cost.failedShare === 1) throw new Error(`${side.origin} answered no request of "${result.name}" with 200`);
        if (round > 0) result.sides[at]?.push(cost);
      }
    }
  }
  return results;
}

/** Returns the CPU of a request with the work that follows it, or the time divided by the requests. */
async function measureRow({ origin, token, processIds }: Side, { requests, isReaction }: BesideRow): Promise<RowCost> {
  const wanted = Number(values.requests);
  const count = isReaction === true ? Math.min(wanted, requests.length) : wanted;
  const before = cpuOf(processIds);
  const result = await sendLoad({
    origin,
    tokens: [token],
    requests,
    count,
    connections: Number(values.connections),
    seconds: 60,
  });
  await waitUntilQuiet(processIds);
  const ms = measuresCpu ? cpuOf(processIds) - before : result.seconds * 1_000;
  return { ms: ms / result.count, bytes: result.bytes, failedShare: result.failures / result.count };
}

function cpuOf(processIds: readonly number[]): number {
  if (processIds.length === 0) return 0;
  const { nodeMs, postgresMs } = measureUsage(...processIds);
  return nodeMs + postgresMs;
}

/** Waits until the processes do nothing any more: their work on what was requested counts as well. */
async function waitUntilQuiet(processIds: readonly number[]): Promise<void> {
  if (processIds.length === 0) return;
  let used = cpuOf(processIds);
  for (let pauses = 0; pauses < maxQuietPauses; pauses += 1) {
    await pause(quietPauseMs);
    const now = cpuOf(processIds);
    if (now - used <= quietPauseMs / 20) return;
    used = now;
  }
}
