import type pg from 'pg';
import { bareCase, isBare } from './cases.ts';
import type { Measurement } from './measure.ts';
import { sendRound } from './measure.ts';
import { cpuOf, medianOf, type MeasurementTarget } from './rounds.ts';
import { countStatements, type StatementCounts } from './statements.ts';

/** What a case asks of PostgreSQL. */
export interface CaseStatements {
  readonly name: string;
  readonly statements: StatementCounts;
}

/** Costs of a run that show what limits its cases. */
export interface Limits {
  readonly statements: readonly CaseStatements[];
  /** Milliseconds of CPU of an insert by itself. */
  readonly insertMs: number;
}

/** Sends a further round of each case and counts its statements. */
export async function countCases(
  client: pg.Client,
  targets: readonly MeasurementTarget[],
  {
    rounds,
    requests,
    wait,
  }: { readonly rounds: number; readonly requests: number; readonly wait: () => Promise<void> },
): Promise<CaseStatements[]> {
  const results: CaseStatements[] = [];
  for (const { benchmarkCase, server } of targets) {
    const { name } = benchmarkCase;
    if (isBare(name)) continue;
    process.stderr.write(`Counting statements: ${name}\n`);
    const count = Math.ceil(requests * benchmarkCase.share);
    const run = async (): Promise<number> => {
      const sent = await sendRound(server, benchmarkCase, { count, round: rounds });
      await wait();
      return sent.count;
    };
    results.push({ name, statements: await countStatements(client, run) });
  }
  return results;
}

/** Returns the section about what takes the CPU of each case, from the figures of the run. */
export function renderLimits(
  measured: readonly (readonly Measurement[])[],
  { statements, insertMs }: Limits,
): string[] {
  const medians = measured.filter((rounds) => rounds.length > 0).map(medianOf);
  const bare = medians.find(({ name }) => name === bareCase);
  return [
    '## What limits each',
    '',
    'How often a request costs what the bare route costs; the share of PostgreSQL; its statements for a request, without',
    'those that begin and end transactions, and the pages of 8 KB that they read; and the statement that takes most of its',
    'time, with its share. Statements are counted in a further round. Cached answers and batches for several requests make',
    'less than one statement.',
    '',
    '| request | × bare route | PostgreSQL | statements | pages | most time in | its share |',
    '|---|---|---|---|---|---|---|',
    ...medians
      .filter(({ name }) => !isBare(name))
      .map((measurement) => {
        const counts = statements.find(({ name }) => name === measurement.name)?.statements;
        const cpu = cpuOf(measurement);
        const ratio = bare === undefined ? '' : (cpu / cpuOf(bare)).toFixed(1);
        const share = cpu === 0 ? 0 : measurement.postgresMs / cpu;
        return `| ${[measurement.name, ratio, percent(share), ...statementCells(counts)].join(' | ')} |`;
      }),
    '',
    `- An insert of 500 bytes by itself costs ${insertMs.toFixed(3)} ms.${comparePosts(medians, bare, insertMs)}`,
    '',
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function statementCells(counts: StatementCounts | undefined): string[] {
  if (counts === undefined) return ['', '', '', ''];
  const [slowest] = counts.slowest;
  const name = slowest === undefined ? '' : `\`${describeStatement(slowest.query)}\``;
  const share = slowest === undefined || counts.ms === 0 ? '' : percent(slowest.ms / counts.ms);
  return [counts.statements.toFixed(2), counts.pages.toFixed(1), name, share];
}

const maxStatementLength = 70;

/** Returns the tables of a statement after its first word, without what would end the cell of a table. */
function describeStatement(query: string): string {
  const verb = /\b(?:insert|update|delete)\b/i.exec(query)?.[0] ?? /\w+/.exec(query)?.[0] ?? '';
  const tables = [...query.matchAll(/\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi)].map(([, table]) => table);
  const known = [...new Set(tables)].filter((table) => table !== 'unnest' && table !== 'lateral');
  return `${verb.toLowerCase()} ${known.join(', ')}`.slice(0, maxStatementLength);
}

/** Compares posts with a bare route and an insert. */
function comparePosts(medians: readonly Measurement[], bare: Measurement | undefined, insertMs: number): string {
  if (bare === undefined) return '';
  const raw = cpuOf(bare) + insertMs;
  return medians
    .filter(({ name }) => name.startsWith('POST status'))
    .map((post) => ` ${post.name}: ${(cpuOf(post) / raw).toFixed(1)} times that and the bare route.`)
    .join('');
}
