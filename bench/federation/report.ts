import { describeRun } from '../write-section.ts';
import type { DeliveryCase, DeliveryResult } from './delivery-cases.ts';
import type { InboxCase, InboxResult } from './inbox-cases.ts';
import type { SceneSize } from './scene.ts';
import type { StatementCounts } from './statements.ts';

/** A case with its rounds, and the statements of a further one. */
export interface Measured<Case, Result> {
  readonly item: Case;
  readonly rounds: readonly Result[];
  readonly statements: StatementCounts;
}

export interface FederationResults {
  readonly command: string;
  readonly statuses: number;
  readonly size: SceneSize;
  readonly inbox: readonly Measured<InboxCase, InboxResult>[];
  readonly delivery: readonly Measured<DeliveryCase, DeliveryResult>[];
}

interface Cost {
  readonly nodeMs: number;
  readonly postgresMs: number;
}

const cpuOf = ({ nodeMs, postgresMs }: Cost): number => nodeMs + postgresMs;
const formatMs = (value: number): string => `${value.toFixed(2)} ms`;

/** Returns the median round by CPU. */
function medianOf<Result extends Cost>(rounds: readonly Result[]): Result {
  const median = rounds.toSorted((a, b) => cpuOf(a) - cpuOf(b))[(rounds.length - 1) >> 1];
  if (median === undefined) throw new Error('nothing was measured');
  return median;
}

export function renderSection({ command, statuses, size, inbox, delivery }: FederationResults): string {
  return [
    '## Federation',
    '',
    `${2 * size.hosts} hosts on this machine speak TLS; their activities are signed before the measurement. CPU is that of the`,
    'server and PostgreSQL for one activity or delivery, from the request to the last job that it causes, the median of',
    'the rounds. Statements are counted in a further round.',
    '',
    ...describeRun(command),
    `- Database: ${statuses.toLocaleString('en')} statuses`,
    '',
    ...renderInbox(inbox, size),
    ...renderDelivery(delivery, size),
  ].join('\n');
}

function renderInbox(measured: FederationResults['inbox'], { authors, followers }: SceneSize): string[] {
  if (measured.length === 0) return [];
  return [
    `Received by one process from ${authors} authors. The forwarded ones store ${followers} deliveries each, which are not sent.`,
    '',
    '| activity | CPU | range | at most | of it Node | of it PostgreSQL | accepted/s | until accepted, p50 | p95 | processed/s | statements | commits | rows | WAL |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...measured.map(({ item, rounds, statements }) => {
      const median = medianOf(rounds);
      const { acceptedPerSecond, processedPerSecond, p50Ms, p95Ms } = median;
      const rates = [Math.round(acceptedPerSecond), formatMs(p50Ms), formatMs(p95Ms), Math.round(processedPerSecond)];
      return `| ${[...costCells(item, rounds), ...rates, ...statementCells(statements)].join(' | ')} |`;
    }),
    '',
  ];
}

function renderDelivery(measured: FederationResults['delivery'], { hosts, followers }: SceneSize): string[] {
  if (measured.length === 0) return [];
  return [
    `Sent by one process: a post to ${followers} inboxes on ${hosts} hosts.`,
    '',
    '| case | CPU | range | at most | of it Node | of it PostgreSQL | deliveries/s | connections for a post | resumed | HTTP/2 | statements | commits | rows | WAL |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...measured.map(({ item, rounds, statements }) => {
      const { deliveriesPerSecond, connectionsPerPost, resumedPerPost, http2 } = medianOf(rounds);
      const rates = [deliveriesPerSecond, connectionsPerPost, resumedPerPost].map(Math.round);
      const cells = [
        ...costCells(item, rounds),
        ...rates,
        `${Math.round(http2 * 100)} %`,
        ...statementCells(statements),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ];
}

function costCells({ name, targetMs }: { name: string; targetMs?: number }, rounds: readonly Cost[]): string[] {
  const median = medianOf(rounds);
  const costs = rounds.map(cpuOf);
  const isWithin = targetMs === undefined || cpuOf(median) <= targetMs;
  return [
    name,
    isWithin ? formatMs(cpuOf(median)) : `**${formatMs(cpuOf(median))}**`,
    `${Math.min(...costs).toFixed(2)}–${Math.max(...costs).toFixed(2)} ms`,
    targetMs === undefined ? '' : formatMs(targetMs),
    formatMs(median.nodeMs),
    formatMs(median.postgresMs),
  ];
}

const statementCells = ({ statements, commits, rows, walBytes }: StatementCounts): string[] => [
  ...[statements, commits, rows].map((count) => count.toFixed(2)),
  `${(walBytes / 1_000).toFixed(1)} KB`,
];

/** Returns the slowest statements of a case, one a line. */
export const renderStatements = (name: string, { slowest }: StatementCounts): string =>
  [
    `\n${name}: calls and milliseconds of the slowest statements for one operation`,
    ...slowest.map(({ query, calls, ms }) => `${calls.toFixed(3)}  ${ms.toFixed(4)} ms  ${query.slice(0, 200)}`),
    '',
  ].join('\n');
