import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../server/platform/app.ts';
import { buildCases, type BenchmarkCase } from '../cases.ts';
import { measureUsage } from '../cpu.ts';
import { deliveryCases, disconnectMs, recordKeyTypes, type DeliveryCase } from '../federation/delivery-cases.ts';
import type { Network } from '../federation/network.ts';
import { createMixed, createRemoteReply } from '../federation/inbox-cases.ts';
import { createActivity, type NoteOptions } from '../federation/peers.ts';
import { preSign } from '../federation/pre-signed.ts';
import { postAs } from '../federation/scene.ts';
import { waitUntilIdle } from '../federation/wait-until-idle.ts';
import { sendRound, warmUpCount } from '../measure.ts';
import { sendLoad } from '../send-load.ts';
import type { StreamClients } from '../streaming/stream-client-process.ts';
import type { StreamScene } from '../streaming/stream-scene.ts';
import { options } from './options.ts';
import type { PreparedScenes } from './prepare.ts';

/** One of the two servers. */
export interface Side {
  readonly origin: string;
  readonly processId: number;
  readonly app: Pick<App, 'db'>;
  readonly clients: StreamClients;
}

/** One line of the comparison. */
export interface Row {
  readonly name: string;
  /** Operations of the first round, in which the servers warm up. */
  readonly count: number;
  /** Later rounds have as many operations as need enough CPU, in multiples of this. Undefined: as many as the first. */
  readonly step?: number;
  /** Whether the servers run it one after the other, not at the same time. */
  readonly isExclusive?: boolean;
  /** Prepares what a round sends to both servers. Returns a function that sends it to one and waits for the answers. */
  prepare(count: number, round: number): Promise<(side: Side) => Promise<void>>;
  /** Called on each server before and after a round, outside of the measurement. */
  before?(side: Side): Promise<void>;
  after?(side: Side): Promise<void>;
}

const { connections, rounds } = options;
const writeCount = 400;
const activityCount = 300;
const postCount = 4;

/** Returns all rows: the requests of `npm run bench`, inbox, deliveries and streams. */
export function buildRows(scenes: PreparedScenes, network: Network, baseUrl: string): Row[] {
  return [
    ...buildCases(scenes.requests).map(requestRow),
    inboxRow({ name: 'Create of a followed author', create: createActivity, network, baseUrl }, scenes.federation),
    inboxRow(
      {
        name: 'Create that replies to a local account',
        create: (note, { reader }) => createActivity({ ...note, parent: reader.post }),
        network,
        baseUrl,
      },
      scenes.federation,
    ),
    inboxRow(
      { name: 'Create that replies to a remote post', create: createRemoteReply, network, baseUrl },
      scenes.federation,
    ),
    inboxRow({ name: 'a mix of Creates and boosts', create: createMixed, network, baseUrl }, scenes.federation),
    ...deliveryCases.map((item) => deliveryRow(item, network, scenes.federation)),
    streamRow('websocket', 'WebSockets', scenes.streams),
    streamRow('sse', 'server-sent events', scenes.streams),
  ];
}

function requestRow(benchmarkCase: BenchmarkCase): Row {
  const { name, requests, share } = benchmarkCase;
  const isRead = requests.every(({ method }) => method === 'GET');
  // Each round reacts to other posts. Some rows are measured in twice as many rounds.
  const posts = requests.length === 1 ? writeCount : Math.floor((requests.length - warmUpCount) / (2 * rounds + 1));
  const send = async ({ origin, processId }: Side, count: number, round: number): Promise<void> => {
    const server = { origin, processIds: [processId], connections };
    const { failures } = await sendRound(server, benchmarkCase, { count, round });
    if (failures > 0) process.stderr.write(`${name}: ${failures} requests to ${origin} were not answered with 200\n`);
  };
  return {
    name,
    count: isRead ? 2_000 * share : Math.min(writeCount, posts),
    // Cached posts expire in a minute.
    ...(isRead && { step: 1, before: async (side: Side) => send(side, Math.ceil(warmUpCount * share), 0) }),
    prepare: async (count, round) => (side) => send(side, count, round),
  };
}

let noteCount = 0;

interface InboxRowOptions {
  readonly name: string;
  /** The nth activity. */
  create(note: NoteOptions, scene: PreparedScenes['federation'], at: number): Record<string, unknown>;
  readonly network: Network;
  readonly baseUrl: string;
}

/** Activities of followed authors, which are signed once for both servers. */
function inboxRow({ name, create, network, baseUrl }: InboxRowOptions, scene: PreparedScenes['federation']): Row {
  const { authors } = scene;
  return {
    name: `inbox: ${name}`,
    count: activityCount,
    prepare: async (count) => {
      const activities = Array.from({ length: count }, (_, at) => {
        noteCount += 1;
        const actor = authors[at % authors.length] ?? '';
        return create({ actor, name: String(noteCount) }, scene, at);
      });
      const signed = await preSign(network, baseUrl, activities);
      return async ({ origin }) => {
        const { failures } = await sendLoad({ origin, requests: signed, count, tokens: [], connections, seconds: 600 });
        if (failures > 0) throw new Error(`${failures} of ${count} activities were not accepted by ${origin}`);
      };
    },
  };
}

/** Posts to remote followers. The cost is that of a delivery; the posts are included. */
function deliveryRow(
  { name, prepare, hasEd25519 = false }: DeliveryCase,
  network: Network,
  { popular }: PreparedScenes['federation'],
): Row {
  const { followers } = options;
  return {
    name,
    count: postCount * followers,
    step: followers,
    isExclusive: true,
    ...(hasEd25519 && {
      before: ({ app }: Side) => recordKeyTypes(app.db, true),
      after: ({ app }: Side) => recordKeyTypes(app.db, false),
    }),
    prepare:
      async (count) =>
      async ({ origin, app }) => {
        await network.command('reset');
        for (let posts = 0; posts < count / followers; posts += 1) {
          await network.command(prepare === 'reset' ? 'counts' : prepare);
          await pause(disconnectMs);
          await postAs(origin, popular.token);
          await waitUntilIdle(app);
        }
        const { received } = await network.command('counts');
        if (received !== count) throw new Error(`${received} of ${count} deliveries of ${origin} arrived`);
      },
  };
}

/** Posts to many streams. The cost is that of a stream; the posts are included. */
function streamRow(how: 'websocket' | 'sse', name: string, { authorToken, readerTokens }: StreamScene): Row {
  return {
    name: `post to ${readerTokens.length} ${name}`,
    count: postCount * readerTokens.length,
    step: readerTokens.length,
    before: ({ clients }) => clients.open(readerTokens, how),
    prepare:
      async (count) =>
      async ({ origin, clients }) => {
        for (let posts = 0; posts < count / readerTokens.length; posts += 1) {
          const received = clients.receive(readerTokens.length);
          await postAs(origin, authorToken);
          await received;
        }
      },
    after: ({ clients }) => clients.close(),
  };
}

/** Runs a row on a server `count` times. Returns the CPU of one, stored work that it caused included. */
export async function measureRow(row: Row, side: Side, work: { count: number; run: (side: Side) => Promise<void> }) {
  await row.before?.(side);
  await waitUntilIdle(side.app);
  const before = measureUsage(side.processId);
  await work.run(side);
  await waitUntilIdle(side.app);
  const after = measureUsage(side.processId);
  await row.after?.(side);
  return (after.nodeMs + after.postgresMs - before.nodeMs - before.postgresMs) / work.count;
}
