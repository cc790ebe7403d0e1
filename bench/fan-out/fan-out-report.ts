import type { FanOutResult } from './measure-fan-out.ts';
import type { FollowerCount } from './seed-followers.ts';
import { describeRun } from '../write-section.ts';

/** The results of one kind of fan-out. */
export interface FanOutCase {
  readonly name: string;
  readonly results: readonly FanOutResult[];
}

/** What a fan-out may cost on two idle cores. */
const aims = { requestMs: 100, firstMs: 1_000, lastMs: 10_000, slowdown: 1.3, memoryMb: 40 } as const;

/** Of a case that delivers nothing. */
const none = '–';

const number = (value: number): string => value.toLocaleString('en');

/** Returns the value that a share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function renderFanOut(
  command: string,
  { followers, hosts }: FollowerCount,
  cases: readonly FanOutCase[],
): string {
  return [
    '## Fan-out',
    '',
    `A post to ${number(followers)} followers on ${number(hosts)} hosts with a shared inbox each, and the deletion of an account`,
    'that all of them know, while other users read home and post at a fixed rate. Their times are those of all rounds,',
    'the memory is that of the round that added most, the others are the median of the rounds. The hosts are new to the server in the first round, and every connection is',
    'new in each. The load shares the machine, and so do the hosts, at a low priority: CPU tells more than time. "Other',
    'program" is no fan-out: a program that only keeps one core busy, at the priority of the delivery thread, shows what',
    'the machine lets others notice of any work.',
    '',
    ...describeRun(command),
    '',
    '| | aim | ' + cases.map(({ name }) => name).join(' | ') + ' |',
    `|---|---|${'---|'.repeat(cases.length)}`,
    ...rowsOf(hosts, cases).map(([name, aim, ...values]) => `| ${[name, aim, ...values].join(' | ')} |`),
    '',
  ].join('\n');
}

function rowsOf(hosts: number, cases: readonly FanOutCase[]): string[][] {
  const median = (results: readonly FanOutResult[], valueOf: (result: FanOutResult) => number): number =>
    percentile(results.map(valueOf), 0.5);
  const row = (name: string, aim: string, render: (results: readonly FanOutResult[]) => string): string[] => [
    name,
    aim,
    ...cases.map(({ results }) => render(results)),
  ];
  const pair = (kind: 'home' | 'post') => (results: readonly FanOutResult[]) => {
    const p95 = (when: 'Before' | 'During'): number =>
      percentile(
        results.flatMap((result) => result[`${kind}${when}`]),
        0.95,
      );
    const [before, during] = [p95('Before'), p95('During')];
    return `${before.toFixed(1)} → ${during.toFixed(1)} ms (× ${(during / before).toFixed(2)})`;
  };
  const ms = (valueOf: (result: FanOutResult) => number) => (results: readonly FanOutResult[]) =>
    hasDeliveries(results) ? `${Math.round(median(results, valueOf)).toLocaleString('en')} ms` : none;
  return [
    row(
      'the request',
      `${aims.requestMs} ms`,
      ms(({ requestMs }) => requestMs),
    ),
    row(
      'first delivery',
      `${aims.firstMs} ms`,
      ms(({ firstMs }) => firstMs),
    ),
    row('last delivery', `${aims.lastMs.toLocaleString('en')} ms`, (results) => {
      const received = median(results, (result) => result.received);
      const time = ms(({ lastMs }) => lastMs)(results);
      return received > 0 && received < hosts ? `${number(received)} hosts after ${time}` : time;
    }),
    row('home of others, p95', `× ${aims.slowdown}`, pair('home')),
    row('posts of others, p95', `× ${aims.slowdown}`, pair('post')),
    row('turns of the event loop, 95 % of its CPU', '', (results) => {
      const [before, during] = [
        median(results, ({ turnBefore }) => turnBefore),
        median(results, ({ turnDuring }) => turnDuring),
      ];
      return `${before.toFixed(1)} → ${during.toFixed(1)} ms`;
    }),
    row('garbage collection, of the CPU of the event loop', '', (results) => {
      const [before, during] = [
        median(results, ({ gcBefore }) => gcBefore),
        median(results, ({ gcDuring }) => gcDuring),
      ];
      return `${(before * 100).toFixed(0)} → ${(during * 100).toFixed(0)} %`;
    }),
    row('memory, most', `+ ${aims.memoryMb} MB`, (results) => {
      const most = Math.max(...results.map(({ memoryBytes }) => memoryBytes));
      return `+ ${(most / 1e6).toFixed(0)} MB`;
    }),
    row('rows stored', 'one a host', (results) => median(results, ({ rows }) => rows).toLocaleString('en')),
    row('CPU of Node for a host', '', (results) => perHost(results, 'nodeMs')),
    row('CPU of PostgreSQL for a host', '', (results) => perHost(results, 'postgresMs')),
    row('CPU of the hosts, of the machine', '', (results) => {
      const share = median(results, ({ hostsShare }) => hostsShare);
      return `${(share * 100).toFixed(0)} %`;
    }),
  ];
}

const hasDeliveries = (results: readonly FanOutResult[]): boolean => results.some(({ received }) => received > 0);

function perHost(results: readonly FanOutResult[], name: 'nodeMs' | 'postgresMs'): string {
  if (!hasDeliveries(results)) return none;
  const costs = results.map((result) => result[name] / Math.max(1, result.received));
  return `${percentile(costs, 0.5).toFixed(2)} ms`;
}
