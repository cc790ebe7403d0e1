// Measures what a push message costs: npm run bench -- push. Writes a section of docs/benchmarks.md.
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withApp } from '../server/cli/open/open-app.ts';
import { createApplication, createToken } from '../server/oauth/index.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';
import { createUser } from '../server/users/sign-up/index.ts';
import manifest from '../package.json' with { type: 'json' };
import { measureUsage } from './cpu.ts';
import { replaceSection } from './markdown-section.ts';
import { startProcess } from './start-process.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3996' },
    /** Notifications of a round. */
    count: { type: 'string', default: '400' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const rounds = 5;
const connections = 8;
/** Time after which all work caused by a notification is done. */
const settleMs = 2_000;

const root = join(import.meta.dirname, '..');
const origin = `http://localhost:${values.port}`;
const dataDir = mkdtempSync(join(tmpdir(), 'fieldfare-push-'));
const env = {
  DATA_DIR: dataDir,
  PORT: values.port,
  BASE_URL: origin,
  ALLOW_PRIVATE_ADDRESSES: 'on',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
};

/** Milliseconds for one notification. */
interface Cost {
  readonly nodeMs: number;
  readonly postgresMs: number;
}

let receivedCount = 0;
const pushService = createServer((request, response) => {
  request.resume().once('end', () => {
    receivedCount += 1;
    response.writeHead(201).end();
  });
});
pushService.listen(0, '127.0.0.1');
await once(pushService, 'listening');

const server = await startProcess('sh', ['-c', manifest.scripts.start], { env, ready: /is ready/ });
try {
  const tokens = await withApp(parseConfig(env, root), createLog({ level: 'error' }), async (app) => {
    const scopes = ['read', 'write', 'push'];
    const redirectUris = ['urn:ietf:wg:oauth:2.0:oob'];
    const { id: applicationId } = await createApplication(app, { name: 'Bench', redirectUris, scopes, website: null });
    const create = async (username: string) => {
      const facts = { email: `${username}@mail.test`, agreement: true, confirmed: true, approved: true };
      const { userId } = await createUser(app, { username, password: 'correct horse battery', ...facts });
      return createToken(app, { userId, applicationId, scopes });
    };
    return { author: await create('author'), fan: await create('fan') };
  });
  await measureNotifications(tokens);
  const without: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) without.push(await measureNotifications(tokens));
  await subscribe(tokens.author);
  await measureNotifications(tokens);
  const before = receivedCount;
  const pushed: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) pushed.push(await measureNotifications(tokens));
  if (receivedCount - before !== rounds * count) throw new Error(`${receivedCount - before} messages arrived`);
  const section = renderSection(without, pushed);
  process.stdout.write(section);
  const file = join(root, 'docs', 'benchmarks.md');
  if (!values.print) writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), section));
} finally {
  pushService.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

/** Favourites posts, each with one notification, and measures the cost of one until its message was sent. */
async function measureNotifications({ author, fan }: { author: string; fan: string }): Promise<Cost> {
  const ids: string[] = [];
  await inParallel(async (index) => {
    const { id } = (await call(author, '/api/v1/statuses', { status: `Post ${index}`, language: 'en' })) as {
      id: string;
    };
    ids.push(id);
  });
  await pause(settleMs);
  const before = measureUsage(server.id);
  await inParallel((index) => call(fan, `/api/v1/statuses/${ids[index]}/favourite`, {}));
  await pause(settleMs);
  const after = measureUsage(server.id);
  return {
    nodeMs: (after.nodeMs - before.nodeMs) / count,
    postgresMs: (after.postgresMs - before.postgresMs) / count,
  };
}

async function inParallel(work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: connections }, run));
}

async function subscribe(token: string): Promise<void> {
  const { port } = pushService.address() as AddressInfo;
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  const subscription = { endpoint: `http://127.0.0.1:${port}/push`, keys, standard: true };
  await call(token, '/api/v1/push/subscription', { subscription, data: { alerts: { favourite: true } } });
}

async function call(token: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function renderSection(without: readonly Cost[], pushed: readonly Cost[]): string {
  const median = (costs: readonly Cost[], valueOf: (cost: Cost) => number): number =>
    costs.map(valueOf).toSorted((a, b) => a - b)[rounds >> 1] ?? 0;
  const difference = (valueOf: (cost: Cost) => number): number => median(pushed, valueOf) - median(without, valueOf);
  const [node, postgres] = [difference(({ nodeMs }) => nodeMs), difference(({ postgresMs }) => postgresMs)];
  return [
    '## Push',
    '',
    'What a notification costs more if it is pushed: the stored job, the text, encryption for the app and the request to',
    'the push service, which answers at once. CPU of the server and PostgreSQL, the median of five rounds.',
    '',
    '- Command: `npm run bench -- push`',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}; load ${loadavg()[1]?.toFixed(1)}, of which the benchmark is 1 to 2`,
    '',
    `- CPU of one push: ${(node + postgres).toFixed(2)} ms, of it Node ${node.toFixed(2)} ms, PostgreSQL ${postgres.toFixed(2)} ms.`,
    '',
  ].join('\n');
}
