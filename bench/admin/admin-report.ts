import type { Measurement } from '../measure.ts';
import { medianOf } from '../rounds.ts';
import { describeRun } from '../write-section.ts';

const maxP95Ms = 100;

export interface AdminResult {
  readonly name: string;
  readonly rounds: readonly Measurement[];
}

/** Rows of the database. */
export interface AdminSizes {
  readonly accounts: number;
  readonly statuses: number;
  readonly reports: number;
  readonly entries: number;
}

const formatMs = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** Returns the section about lists for staff of docs/benchmarks.md. */
export function renderAdminSection(results: readonly AdminResult[], sizes: AdminSizes): string {
  const medians = results.map(({ name, rounds }) => ({ ...medianOf(rounds), name }));
  const slow = medians.filter(({ p95Ms }) => p95Ms > maxP95Ms);
  return [
    '## Lists and measures for staff',
    '',
    'The first page of each list with each filter, and each measure, two at a time. Each line is the median round by CPU;',
    'CPU includes PostgreSQL.',
    '',
    ...describeRun('npm run bench -- admin'),
    `- Database: ${[
      [sizes.accounts, 'accounts'],
      [sizes.statuses, 'statuses'],
      [sizes.reports, 'reports'],
      [sizes.entries, 'entries of the audit log'],
    ]
      .map(([count, name]) => `${count?.toLocaleString('en')} ${name}`)
      .join(', ')}`,
    `- Slower than the aim: ${slow.length === 0 ? 'none' : slow.map(({ name }) => name).join('; ')}`,
    '',
    `| list | CPU | of it PostgreSQL | p50 | p95 (aim: ${maxP95Ms} ms) | bytes |`,
    '|---|---|---|---|---|---|',
    ...medians.map(({ name, nodeMs, postgresMs, p50Ms, p95Ms, bytes }) => {
      const times = [nodeMs + postgresMs, postgresMs, p50Ms, p95Ms].map(formatMs);
      return `| ${[name, ...times, bytes.toLocaleString('en')].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}
