import { availableParallelism, cpus, loadavg } from 'node:os';

/** What a post costs, in milliseconds of CPU. */
export interface PostCost {
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/** Streams of one kind that are all open. */
export interface StreamsResult {
  readonly name: string;
  readonly maxMicroseconds: number;
  /** Cost of posts to these streams, less the cost of the idle streams. */
  readonly posts: readonly PostCost[];
  /** Cost of the same posts without streams, measured shortly before and after. */
  readonly without: readonly PostCost[];
  /** Cost of the open streams in a second without posts. */
  readonly idlePerSecond: PostCost;
  /** From a post to its last receipt, for each round. The feeds of the post are written meanwhile. */
  readonly lastMs: readonly number[];
  /** The longest turn of the event loop while a post is sent, in CPU time of the thread. */
  readonly maxTurnMs: number;
}

/** Times in milliseconds. */
export interface Delays {
  readonly streams: number;
  /** From the request to post until its answer. */
  readonly answers: readonly number[];
  /** From the request to post until each receipt. */
  readonly receipts: readonly number[];
}

export interface Results {
  readonly readers: number;
  readonly streams: readonly StreamsResult[];
  readonly idleBytes: number;
  readonly delays: Delays;
  /** Those of a server that only sends. */
  readonly bareDelays: Delays;
}

export function renderStreams({ readers, streams, idleBytes, delays, bareDelays }: Results): string {
  return [
    '## Streams',
    '',
    `A post to ${readers.toLocaleString('en')} followers with open home streams. Each blocks and mutes ten accounts, has a filter of ten`,
    'keywords, follows twenty others and has the author in a list. CPU is what a post costs more than without streams, for',
    'one receiver, of server and PostgreSQL together: the median of the rounds, less the pings and checks of idle streams.',
    'Feeds are not written for these posts, because the author has too many followers; until the last receipt, they are.',
    'Times by the clock grow with whatever else runs on the machine; CPU hardly does.',
    '',
    '- Command: `npm run bench -- streaming`',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}; load ${loadavg()[1]?.toFixed(1)}, of which the benchmark is 1 to 2`,
    '',
    '| streams | CPU for one receiver | range | at most | of it Node | of it PostgreSQL | last receipt (aim: 2 s) | longest turn (aim: 10 ms) | CPU of idle streams in a second |',
    '|---|---|---|---|---|---|---|---|---|',
    ...streams.map((result) => renderRow(result, readers)),
    '',
    `- Memory of an idle WebSocket: ${(idleBytes / 1_000).toFixed(1)} KB (aim: 12 KB).`,
    ...renderDelays(delays, bareDelays),
    '',
  ].join('\n');
}

/** `bare`: the delays of a server that does nothing but send. */
export const renderDelays = (delays: Delays, bare: Delays): readonly string[] => [
  `- From the request to post to receipt by ${delays.streams} followers, after 300 posts to warm up: p50 ${quantile(delays.receipts, 0.5)} ms (aim: 10 ms), p99 ${quantile(delays.receipts, 0.99)} ms (aim: 100 ms); to its answer: p50 ${quantile(delays.answers, 0.5)} ms, p99 ${quantile(delays.answers, 0.99)} ms.`,
  `- The same on a server that does nothing but write ${bare.streams} frames and answer: receipt p50 ${quantile(bare.receipts, 0.5)} ms, p99 ${quantile(bare.receipts, 0.99)} ms; answer p50 ${quantile(bare.answers, 0.5)} ms.`,
];

function renderRow(result: StreamsResult, readers: number): string {
  const base = { nodeMs: median(result.without, nodeOf), postgresMs: median(result.without, postgresOf) };
  const perReceiver = (ms: number): number => (ms * 1_000) / readers;
  const totals = result.posts.map((cost) => perReceiver(totalOf(cost) - totalOf(base))).toSorted((a, b) => a - b);
  const idleMs = totalOf(result.idlePerSecond);
  return `| ${[
    result.name,
    `${(totals[totals.length >> 1] ?? 0).toFixed(1)} µs`,
    `${totals[0]?.toFixed(1)}–${totals.at(-1)?.toFixed(1)} µs`,
    `${result.maxMicroseconds} µs`,
    `${perReceiver(median(result.posts, nodeOf) - base.nodeMs).toFixed(1)} µs`,
    `${perReceiver(median(result.posts, postgresOf) - base.postgresMs).toFixed(1)} µs`,
    `${(median(result.lastMs, (ms) => ms) / 1_000).toFixed(2)} s`,
    `${result.maxTurnMs.toFixed(1)} ms`,
    `${idleMs.toFixed(0)} ms`,
  ].join(' | ')} |`;
}

const nodeOf = ({ nodeMs }: PostCost): number => nodeMs;
const postgresOf = ({ postgresMs }: PostCost): number => postgresMs;
const totalOf = ({ nodeMs, postgresMs }: PostCost): number => nodeMs + postgresMs;

function median<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.map(valueOf).toSorted((a, b) => a - b)[items.length >> 1] ?? 0;
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
}
