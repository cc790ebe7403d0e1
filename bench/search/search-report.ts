import type { Measurement } from '../measure.ts';
import { compareRounds, cpuOf, medianOf } from '../rounds.ts';
import type { NameClass } from './search-names.ts';
import type { WordClass } from './search-words.ts';
import { describeRun } from '../write-section.ts';

const maxP95Ms = 100;
const maxAccountMs = 0.8;
const maxIndexShare = 0.4;
const maxPostingRatio = 1.1;

interface SearchResult extends WordClass {
  readonly rounds: readonly Measurement[];
}

interface AccountResult extends NameClass {
  readonly rounds: readonly Measurement[];
}

/** In bytes. */
export interface Sizes {
  readonly posts: number;
  /** With the indexes. */
  readonly index: number;
  /** With the indexes. */
  readonly statuses: number;
  /** Without the indexes. */
  readonly rows: number;
}

/** What was measured of searches. */
export interface Results {
  readonly searches: readonly SearchResult[];
  readonly accounts: readonly AccountResult[];
  readonly sizes: Sizes;
}

/** What posting costs in each round. */
export interface PostingResult {
  readonly withIndex: readonly Measurement[];
  readonly without: readonly Measurement[];
}

const formatMs = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

const formatMb = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

/** Returns the section about search of docs/benchmarks.md. */
export function renderSection({ searches, accounts, sizes }: Results, posting: PostingResult): string {
  const share = (size: number): string => `${Math.round((sizes.index / size) * 100)} %`;
  return [
    '## Search',
    '',
    `The first page of 20 posts for words drawn from the seeded texts, two at a time. Each line is the median round by CPU;`,
    'CPU includes PostgreSQL.',
    '',
    ...describeRun('npm run bench -- search'),
    `- Database: ${sizes.posts.toLocaleString('en')} statuses`,
    '',
    `| words | posts with the word | CPU | of it PostgreSQL | p50 | p95 (aim: ${maxP95Ms} ms) |`,
    '|---|---|---|---|---|---|',
    ...searches.map(renderSearch),
    '',
    `| accounts (aim: ${maxAccountMs} ms) | CPU | of it PostgreSQL | p50 | p95 |`,
    '|---|---|---|---|---|',
    ...accounts.map(renderAccounts),
    '',
    `- The index takes ${formatMb(sizes.index)}, ${share(sizes.statuses)} of the statuses (${formatMb(sizes.statuses)}; both with their indexes; aim: ${maxIndexShare * 100} %), and ${share(sizes.rows)} of their rows alone.`,
    renderPosting(posting),
    '',
  ].join('\n');
}

function renderSearch({ script, rarity, words, rounds }: SearchResult): string {
  const { nodeMs, postgresMs, p50Ms, p95Ms } = medianOf(rounds);
  const counts = words.map(({ posts }) => posts);
  const cells = [
    `${script}, one in ${rarity.toLocaleString('en')}: ${words.map(({ word }) => word).join(', ')}`,
    `${Math.min(...counts).toLocaleString('en')}–${Math.max(...counts).toLocaleString('en')}`,
    ...[nodeMs + postgresMs, postgresMs, p50Ms, p95Ms].map(formatMs),
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderAccounts({ name, texts, rounds }: AccountResult): string {
  const median = medianOf(rounds);
  const { postgresMs, p50Ms, p95Ms } = median;
  const cells = [
    `${name}: ${texts.slice(0, 3).join(', ')}, …`,
    ...[cpuOf(median), postgresMs, p50Ms, p95Ms].map(formatMs),
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderPosting({ withIndex, without }: PostingResult): string {
  const ratio = compareRounds(withIndex, without);
  const [indexed, plain] = [medianOf(withIndex), medianOf(without)];
  return (
    `- Posting, CPU of a request with the work that follows: ${formatMs(cpuOf(indexed))} with the index, ` +
    `${formatMs(cpuOf(plain))} without: ${ratio.median.toFixed(2)} times as much, the median of ${ratio.all} ` +
    `(aim: ${maxPostingRatio}). Until the answer, p50: ${formatMs(indexed.p50Ms)} with, ${formatMs(plain.p50Ms)} without.`
  );
}
