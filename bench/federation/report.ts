import { describeRun } from '../write-section.ts';
import type { RolesCase, RolesResult } from './accepting.ts';
import type { DeliveryCase, DeliveryResult } from './delivery-cases.ts';
import type { InboxCase, InboxResult } from './inbox-cases.ts';
import type { FederationLimits } from './raw-limits.ts';
import type { SceneSize } from './scene.ts';
import type { StatementCounts } from '../statements.ts';

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
  /** Activities that wait while others are accepted. */
  readonly waiting: number;
  readonly limits: FederationLimits & { readonly insertMs: number };
  readonly inbox: readonly Measured<InboxCase, InboxResult>[];
  readonly delivery: readonly Measured<DeliveryCase, DeliveryResult>[];
  readonly roles: readonly { readonly item: RolesCase; readonly rounds: readonly RolesResult[] }[];
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

export function renderSection(results: FederationResults): string {
  const { command, statuses, size, inbox, delivery } = results;
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
    ...renderLimits(results),
    ...renderRoles(results),
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

/** Compares the costs with those of the parts that no server can do without. */
function renderLimits({ limits, size, inbox, delivery }: FederationResults): string[] {
  const { verifyMs, signMs, insertMs, postMs, newConnectionMs } = limits;
  const compare = (what: string, raw: number) => (measured: { item: { name: string }; rounds: readonly Cost[] }) => {
    const cost = cpuOf(medianOf(measured.rounds));
    return `- ${measured.item.name}: ${(cost / raw).toFixed(1)} times ${what} (${formatMs(raw)}).`;
  };
  return [
    'Raw limits, CPU in the same run:',
    '',
    '| RSA signature | verification | insert of 500 bytes | POST of 2 KB over TLS, kept alive | on a new connection |',
    '|---|---|---|---|---|',
    `| ${[signMs, verifyMs, insertMs, postMs, newConnectionMs].map((value) => `${value.toFixed(3)} ms`).join(' | ')} |`,
    '',
    ...inbox.map(compare('a verification and an insert', verifyMs + insertMs)),
    ...delivery.map((measured) => {
      const { connectionsPerPost, resumedPerPost } = medianOf(measured.rounds);
      const handshakes = (connectionsPerPost - resumedPerPost) / size.followers;
      const raw = signMs + postMs + handshakes * (newConnectionMs - postMs);
      return compare('an RSA signature and a POST with its share of the TLS handshakes', raw)(measured);
    }),
    '',
  ];
}

function renderRoles({ roles, waiting }: FederationResults): string[] {
  if (roles.length === 0) return [];
  return [
    `Accepted while ${waiting.toLocaleString('en')} activities wait to be processed, the median round by p95. With \`--roles web\` alone, nothing is`,
    'processed.',
    '',
    '| processes | accepted/s | until accepted, p50 | p95 | range of p95 | processed/s meanwhile |',
    '|---|---|---|---|---|---|',
    ...roles.map(({ item, rounds }) => {
      const sorted = rounds.toSorted((a, b) => a.p95Ms - b.p95Ms);
      const median = sorted[(sorted.length - 1) >> 1];
      if (median === undefined) throw new Error('nothing was measured');
      const { acceptedPerSecond, p50Ms, p95Ms, processedPerSecond } = median;
      const range = `${sorted[0]?.p95Ms.toFixed(1)}–${sorted.at(-1)?.p95Ms.toFixed(1)} ms`;
      const cells = [
        Math.round(acceptedPerSecond),
        formatMs(p50Ms),
        formatMs(p95Ms),
        range,
        Math.round(processedPerSecond),
      ];
      return `| ${item.name} | ${cells.join(' | ')} |`;
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
    `\n${name}: calls, rows, bytes of WAL and milliseconds of the slowest statements for one operation`,
    ...slowest.map(
      ({ query, calls, rows, wal, ms }) =>
        `${calls.toFixed(3)}  ${rows.toFixed(2)} rows  ${wal.toFixed(0)} B  ${ms.toFixed(4)} ms  ${query.slice(0, 200)}`,
    ),
    '',
  ].join('\n');
