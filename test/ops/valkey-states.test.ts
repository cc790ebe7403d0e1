import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test, type TestContext } from 'vitest';
import { Program } from '../../bench/cluster/program.ts';
import { findProgram } from '../../bin/test-programs.mjs';
import { checkValkey as diagnoseValkey } from '../../server/cli/doctor/check-services.ts';
import { connectValkeyBus, type ValkeyBus } from '../../server/platform/bus/valkey-bus.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { startMetrics } from '../../server/platform/metrics/collector.ts';
import { availableServices, valkeyWatch } from '../../server/platform/valkey-watch.ts';
import { checkValkey, connectValkey } from '../../server/platform/valkey.ts';
import { findFreePort } from '../free-port.ts';
import { requireProgram } from '../programs.ts';
import { startServer } from '../server.ts';

const programOf = (context: TestContext): string => {
  const found = findProgram('valkey-server');
  if (found === undefined) requireProgram(context, 'redis-server');
  return found ?? 'redis-server';
};

/** A Valkey or Redis, as an operator runs it. */
class Valkey implements AsyncDisposable {
  readonly port: number;
  readonly #program: Program;
  readonly #folder: string;

  private constructor(port: number, program: Program, folder: string) {
    this.port = port;
    this.#program = program;
    this.#folder = folder;
  }

  static async start(context: TestContext, ...args: readonly string[]): Promise<Valkey> {
    const port = await findFreePort();
    const folder = mkdtempSync(join(tmpdir(), 'ff-valkey-'));
    const program = await Program.start({
      command: programOf(context),
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...args],
      isReady: async () => (await call(port, 'ping')) === 'PONG',
      // One that is stopped ends by no other signal.
      stopSignal: 'SIGKILL',
    });
    return new Valkey(port, program, folder);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  call(command: string, ...words: string[]): Promise<unknown> {
    return call(this.port, command, ...words);
  }

  goSilent(): void {
    process.kill(this.#program.processId, 'SIGSTOP');
  }

  answer(): void {
    process.kill(this.#program.processId, 'SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function call(port: number, command: string, ...words: string[]): Promise<unknown> {
  const connection = connectValkey(`redis://127.0.0.1:${port}`);
  try {
    return await connection.call(command, ...words);
  } finally {
    connection.disconnect();
  }
}

test('a Valkey that is full, a replica or silent is found by doctor, log, metrics and /health/ready', async (context) => {
  await using valkey = await Valkey.start(context);
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const settings = { METRICS_TOKEN: 'a-token-for-prometheus', VALKEY_URL: valkey.url, RATE_LIMITS: 'on' };
  await using server = await startServer({ settings, log });
  await startMetrics(server.app, [availableServices]);
  const stop = valkeyWatch(server.app).start();
  const readReady = async (): Promise<string> => (await server.anonymous.get('/health/ready')).text;
  const readMetric = async (): Promise<string | undefined> => {
    const { text } = await server.anonymous.get('/metrics', {
      headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` },
    });
    return /^fieldfare_service_available\{service="valkey"\} (\d)$/m.exec(text)?.[1];
  };
  const states = [
    {
      begin: () => valkey.call('config', 'set', 'maxmemory', '1'),
      end: () => valkey.call('config', 'set', 'maxmemory', '0'),
      problem: 'Valkey takes no writes',
      finding: /takes no writes: OOM /,
    },
    {
      begin: () => valkey.call('replicaof', '127.0.0.1', '1'),
      end: () => valkey.call('replicaof', 'no', 'one'),
      problem: 'Valkey takes no writes',
      finding: /cannot be used: it is a replica, which takes no writes/,
    },
    {
      begin: async () => valkey.goSilent(),
      end: async () => valkey.answer(),
      problem: 'Valkey does not answer',
      finding: /cannot be used: Command timed out/,
    },
  ];
  await expect.poll(readMetric).toBe('1');
  expect(await diagnoseValkey(server.app)).toMatchObject([{ state: 'ok' }]);
  for (const { begin, end, problem, finding } of states) {
    await begin();
    await expect.poll(readReady).toBe(`OK\n${problem}`);
    expect(await readMetric()).toBe('0');
    expect(await diagnoseValkey(server.app)).toMatchObject([{ state: 'fail', detail: expect.stringMatching(finding) }]);
    // Counted by this process.
    const { status, headers } = await server.anonymous.get('/api/v1/timelines/public');
    expect([status, headers['x-ratelimit-limit']]).toEqual([200, '300']);
    await end();
    await expect.poll(readReady).toBe('OK');
    expect(await readMetric()).toBe('1');
  }
  stop();
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  const consequence = 'each process counts requests by itself, and sees changes of others later';
  expect(messages.filter((message) => message.startsWith('Valkey'))).toEqual(
    states.flatMap(({ problem }) => [`${problem}: ${consequence}`, 'Valkey answers again']),
  );
});

test('a Valkey that refuses the password, or runs as a cluster, is refused with the reason', async (context) => {
  await using valkey = await Valkey.start(context);
  await valkey.call('config', 'set', 'requirepass', 'secret');
  await expect(checkValkey(valkey.url.replace('//', '//default:wrong@'))).rejects.toThrow(/WRONGPASS/);
  await expect(checkValkey(valkey.url)).rejects.toThrow(/NOAUTH/);
  expect(await checkValkey(valkey.url.replace('//', '//:secret@'))).toMatch(/^\d+\./);
  await using cluster = await Valkey.start(context, '--cluster-enabled', 'yes');
  await expect(checkValkey(cluster.url)).rejects.toThrow('it runs as cluster, which Fieldfare does not understand');
});

/** An address that moves: a port that leads to another one. */
async function startAddress(port: number) {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Connections that are open stay where they are. */
    moveTo(other: number) {
      target = other;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A bus of one process, with what it received. */
async function openBus(url: string) {
  const config = parseConfig({ VALKEY_URL: url });
  const bus: ValkeyBus = await connectValkeyBus(config, () => {});
  const received: unknown[] = [];
  let gaps = 0;
  bus.subscribe('things', (message) => received.push(message));
  bus.onGap(() => (gaps += 1));
  return {
    bus,
    received,
    countGaps: () => gaps,
    [Symbol.asyncDispose]: () => bus.close(),
  };
}

test('a bus notices that Valkey is silent, and reports a gap when it answers again', async (context) => {
  await using valkey = await Valkey.start(context);
  await using one = await openBus(valkey.url);
  await using other = await openBus(valkey.url);
  one.bus.publish('things', 1);
  await expect.poll(() => other.received).toEqual([1]);
  valkey.goSilent();
  await expect.poll(() => [one.bus.isInterrupted, other.bus.isInterrupted]).toEqual([true, true]);
  expect([one.countGaps(), other.countGaps()]).toEqual([0, 0]);
  valkey.answer();
  await expect.poll(() => [one.bus.isInterrupted, other.bus.isInterrupted]).toEqual([false, false]);
  expect([one.countGaps() > 0, other.countGaps() > 0]).toEqual([true, true]);
  // The connection that publishes may still be on its way.
  await expect
    .poll(() => {
      one.bus.publish('things', 2);
      return other.received;
    })
    .toContain(2);
});

test('a bus follows an address to the server that became the primary', async (context) => {
  await using former = await Valkey.start(context);
  await using next = await Valkey.start(context);
  await using address = await startAddress(former.port);
  await using one = await openBus(address.url);
  address.moveTo(next.port);
  await using other = await openBus(address.url);
  await former.call('replicaof', '127.0.0.1', String(next.port));
  await expect
    .poll(() => {
      one.bus.publish('things', 'from one');
      return other.received;
    })
    .toContain('from one');
  expect(one.countGaps()).toBeGreaterThan(0);
});
