// Measures how long the server fails after its connections to PostgreSQL fell silent: npm run bench -- silence.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../../server/platform/database/embedded/index.ts';
import { createLog } from '../../server/platform/log.ts';
import { startProcess } from '../start-process.ts';
import { describeRun } from '../write-section.ts';

const rounds = 3;
const port = '3995';
const origin = `http://127.0.0.1:${port}`;
const maxMs = 120_000;
const pauseMs = 250;
/** After the first success, until new connections are in use. */
const restMs = 3_000;

const folder = mkdtempSync(join(tmpdir(), 'ff-silence-'));
const database = await startEmbedded({
  dataDir: join(folder, 'postgres'),
  log: createLog({ level: 'error' }),
  purpose: 'tests',
});
const client = new pg.Client({ host: database.host, port: database.port, user: database.user, database: 'postgres' });
await client.connect();
await client.query('create database silence');
await client.end();

/** The two sockets of each connection that the proxy forwards. */
const forwarded = new Set<readonly [Socket, Socket]>();
const proxy = createServer((socket) => {
  const upstream = connect(join(database.host, `.s.PGSQL.${database.port}`));
  const pair = [socket, upstream] as const;
  forwarded.add(pair);
  socket.pipe(upstream).pipe(socket);
  for (const one of pair) one.on('error', () => {});
  socket.once('close', () => {
    upstream.destroy();
    forwarded.delete(pair);
  });
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));

const env = {
  DATABASE_URL: `postgres://${database.user}@127.0.0.1:${(proxy.address() as AddressInfo).port}/silence`,
  DATA_DIR: join(folder, 'data'),
  PORT: port,
  BASE_URL: origin,
  RATE_LIMITS: 'off',
  WEB_CLIENT_DIR: 'none',
  LOG_LEVEL: 'error',
};
try {
  const program = join(import.meta.dirname, '..', '..', 'bin', 'fieldfare.mjs');
  const server = await startProcess(process.execPath, [program, 'serve'], { env, ready: /is ready/ });
  try {
    const token = await createToken(program);
    const seconds: string[] = [];
    while (seconds.length < rounds) seconds.push(((await measureRound(token)) / 1000).toFixed(1));
    process.stdout.write(
      `${describeRun('npm run bench -- silence').join('\n')}\n\nPosts succeed again after ${seconds.join(', ')} s.\n`,
    );
  } finally {
    await server.stop();
  }
} finally {
  proxy.close();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function createToken(program: string): Promise<string> {
  const args = ['account', 'create', 'alice', '--email', 'alice@mail.example', '--confirmed', '--scopes', 'write'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], {
    env: { ...process.env, ...env },
  });
  return (JSON.parse(stdout) as { access_token: string }).access_token;
}

/** Silences all open connections while posts are sent. Returns the milliseconds until a post succeeds. */
async function measureRound(token: string): Promise<number> {
  for (let count = 0; count < 20; count += 1) await post(token);
  for (const pair of forwarded) for (const socket of pair) socket.unpipe().pause();
  const start = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  const timer = setInterval(() => {
    void post(token).then((isStored) => isStored && resolve(performance.now() - start));
  }, pauseMs);
  const milliseconds = await Promise.race([promise, pause(maxMs, Infinity)]);
  clearInterval(timer);
  await pause(restMs);
  return milliseconds;
}

async function post(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ status: `A post ${crypto.randomUUID()}` });
  const response = await fetch(`${origin}/api/v1/statuses`, { method: 'POST', headers, body }).catch(() => undefined);
  return response?.status === 200;
}
