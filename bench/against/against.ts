// Compares this checkout, with what is not committed yet, to another commit: npm run bench -- against COMMIT. Both servers
// run and are measured at the same time, on copies of one database. Fails if this checkout is slower.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openCommandDatabase } from '../../server/cli/open/open-database.ts';
import { parseConfig } from '../../server/platform/config.ts';
import type { Tables } from '../../server/platform/database/tables.ts';
import { createLog } from '../../server/platform/log.ts';
import { Network } from '../federation/network.ts';
import { parseKey } from '../federation/peers.ts';
import { startProcess } from '../start-process.ts';
import { StreamClients } from '../streaming/stream-client-process.ts';
import { checkOut, findCommit, removeCheckout, root, startCommand } from './checkout.ts';
import { bars, compareRow, isFastEnough, renderComparison, type RoundCost } from './compare.ts';
import { isSelected, options, type PreparedOptions } from './options.ts';
import type { PreparedScenes } from './prepare.ts';
import { buildRows, measureRow, type Row, type Side } from './rows.ts';

const { rounds, port } = options;
/** Operations of a row in a round, however cheap they are. */
const maxCount = 20_000;
const baseUrl = 'http://localhost:4000';
const preparation = join(import.meta.dirname, 'prepare.ts');
const commit = findCommit(options.commit);
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-against-'));
const oldCheckout = join(folder, 'checkout');
const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);
const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];

// A signal to the process group arrives twice: `npm run` passes it on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void cleanUp().finally(() => process.exit(1)));
let cleaning: Promise<void> | undefined;
let isFast = false;
try {
  isFast = await compareServers();
} finally {
  await cleanUp();
}
process.exit(isFast ? 0 : 1);

/** Undoes all steps, the last one first. After a signal, the comparison also ends here, and waits for the same. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (const step of cleanUps.toReversed()) await step();
  })();
  return cleaning;
}

/** Measures both servers and prints the comparison. Returns whether this checkout is fast enough. */
async function compareServers(): Promise<boolean> {
  printStatus(`Checking out ${commit.slice(0, 8)}`);
  cleanUps.push(() => removeCheckout(oldCheckout));
  checkOut(commit, oldCheckout);
  const prepared = prepare();
  const scenes = JSON.parse(readFileSync(join(prepared, 'scenes.json'), 'utf8')) as PreparedScenes;
  const network = new Network(port, scenes.federation.keys.map(parseKey));
  cleanUps.push(() => network.stop());
  await network.start({ http2: false });
  const [oldSide, newSide] = [
    await startSide('old', { checkout: oldCheckout, prepared, network, sidePort: port + 1 }),
    await startSide('new', { checkout: root, prepared, network, sidePort: port + 2 }),
  ];
  const rows = buildRows(scenes, network, baseUrl).filter(({ name }) => isSelected(name));
  const compared = (await measureRows(rows, oldSide, newSide)).map(compareRow);
  process.stdout.write(`${describe()}\n${renderComparison(compared)}`);
  return isFastEnough(compared);
}

/** Returns the folder with the seeded database, which is kept for the next comparison with the same commit. */
function prepare(): string {
  const { accounts, statuses, readers, followers } = options;
  const version = createHash('sha256').update(readFileSync(preparation)).digest('hex').slice(0, 8);
  const sizes = [accounts, statuses, readers, followers, port].join('-');
  const prepared = join(tmpdir(), `fieldfare-prepared-${commit.slice(0, 12)}-${version}-${sizes}`);
  if (existsSync(prepared)) return prepared;
  printStatus('Seeding a database, which is kept for the next time');
  const file = join(oldCheckout, 'bench/against/prepare.ts');
  mkdirSync(join(oldCheckout, 'bench/against'), { recursive: true });
  if (!existsSync(file)) copyFileSync(preparation, file);
  const dataDir = join(folder, 'prepared');
  const ownPort = String(port + 1);
  const plan = { dataDir, baseUrl, port: ownPort, networkPort: port, accounts, statuses, readers, followers };
  execFileSync(process.execPath, [file, JSON.stringify(plan satisfies PreparedOptions)], {
    cwd: oldCheckout,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache-old') },
  });
  renameSync(dataDir, prepared);
  return prepared;
}

/** Starts a server on a copy of the prepared database, which it migrates if necessary. */
async function startSide(
  name: string,
  { checkout, prepared, network, sidePort }: { checkout: string; prepared: string; network: Network; sidePort: number },
): Promise<Side> {
  printStatus(`Starting the ${name} server`);
  const dataDir = join(folder, name);
  execFileSync('cp', ['-a', prepared, dataDir]);
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(sidePort),
    BASE_URL: baseUrl,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ALLOW_PRIVATE_ADDRESSES: 'on',
  };
  const env = { ...settings, ...network.env, NODE_COMPILE_CACHE: join(folder, `compile-cache-${name}`) };
  const server = await startProcess('sh', ['-c', startCommand(checkout)], { folder: checkout, env, ready: /is ready/ });
  cleanUps.push(() => server.stop());
  const { connection } = await openCommandDatabase(parseConfig(settings), createLog({ level: 'error' }));
  const pool = new pg.Pool({ ...connection, max: 2 });
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  const clients = new StreamClients(sidePort);
  cleanUps.push(
    () => clients.end(),
    () => pool.end(),
  );
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { origin: `http://127.0.0.1:${sidePort}`, processId: server.id, app: { db }, clients };
}

/**
 * Measures all rows in rounds, and those that seem too slow once more: chance makes some seem so. Both servers do the same at
 * the same time, so that other work on the machine costs both the same.
 */
async function measureRows(rows: readonly Row[], oldSide: Side, newSide: Side) {
  const measured = rows.map((row) => ({ row, name: row.name, count: row.count, rounds: [] as RoundCost[] }));
  const measureOnce = async (item: (typeof measured)[number], round: number): Promise<RoundCost> => {
    const { row, count } = item;
    const work = { count, run: await row.prepare(count, round) };
    if (row.isExclusive !== true) {
      const [oldMs, newMs] = await Promise.all([measureRow(row, oldSide, work), measureRow(row, newSide, work)]);
      return { oldMs, newMs };
    }
    const isOldFirst = round % 2 === 0;
    const first = await measureRow(row, isOldFirst ? oldSide : newSide, work);
    const second = await measureRow(row, isOldFirst ? newSide : oldSide, work);
    return isOldFirst ? { oldMs: first, newMs: second } : { oldMs: second, newMs: first };
  };
  for (const item of measured) {
    printStatus(`Warming up: ${item.name}`);
    const { oldMs, newMs } = await measureOnce(item, 0);
    const { step } = item.row;
    if (step !== undefined)
      item.count = step * Math.ceil(Math.min(maxCount, options.cpuMs / Math.max(oldMs, newMs)) / step);
  }
  for (let round = 1; round <= 2 * rounds; round += 1) {
    const again =
      round <= rounds
        ? measured
        : measured.filter((item) => compareRow(item).ratio > bars.row || item.rounds.length > rounds);
    for (const item of again) {
      const cost = await measureOnce(item, round);
      item.rounds.push(cost);
      printStatus(`Round ${round}: ${item.name}, ${(cost.newMs / cost.oldMs).toFixed(3)}`);
    }
  }
  return measured;
}

function describe(): string {
  const { accounts, statuses, connections } = options;
  return [
    `This checkout against ${commit.slice(0, 8)}: CPU of an operation, server and PostgreSQL together, ${accounts} accounts,`,
    `${statuses} posts, ${connections} connections, medians of ${rounds} rounds (rows that seemed slower: ${2 * rounds}).`,
    '',
  ].join('\n');
}
