import { describeRun } from '../write-section.ts';
import type { ScrollResult, Transfers, Visit, VisitResults } from './measure-client.ts';
import type { ComparedClient } from './parse-client.ts';

/** What was measured of a client. */
export interface ClientResult {
  readonly client: ComparedClient;
  readonly visits: VisitResults;
  readonly scrolling: ScrollResult;
  readonly favouriteFrames: number | undefined;
}

type Cell = (result: ClientResult) => string;

/** Returns the section of docs/benchmarks.md. */
export function renderComparison(results: readonly ClientResult[], posts: number): string {
  const rows: [what: string, cell: Cell][] = [
    ['scripts and styles until posts are readable', ({ visits }) => formatFiles(visits.first)],
    ['first visit: posts are readable', ({ visits }) => formatVisits(visits.first)],
    ['second visit: posts are readable', ({ visits }) => formatVisits(visits.second)],
    ['layout shift, the worst visit', ({ visits }) => maxShift([...visits.first, ...visits.second])],
    [`longest task while scrolling ${posts} posts`, ({ scrolling }) => formatTask(scrolling)],
    ['heap after it', ({ scrolling }) => `${(scrolling.heapBytes / 1_000_000).toFixed(1)} MB`],
    ['a favourite is shown after', ({ favouriteFrames }) => formatFrames(favouriteFrames)],
  ];
  const titles = results.map(({ client }) => `${client.adapter.title} ${client.version}`.trim());
  const rounds = results[0]?.visits.first.length ?? 0;
  return [
    '## Web client beside others',
    '',
    'Home of the same account on the same server in other clients, as static files of their production builds. All have',
    'TLS, HTTP/2 and Brotli from the same program, and the slowdown and network of the section above. Visits are the',
    `median of ${rounds} with their range. Scripts and styles count until a text is painted, with headers.`,
    '',
    `| | ${titles.join(' | ')} |`,
    `|---|${'---|'.repeat(results.length)}`,
    ...rows.map(([what, cell]) => `| ${what} | ${results.map(cell).join(' | ')} |`),
    '',
    ...describeRun(describeCommand(results)),
    '- Build the other clients from their repositories, Phanpy by `npm ci && npm run build` into `dist`, Elk by',
    '  `pnpm install && pnpm run build` into `.output/public`, and name those folders in the command.',
    '',
  ].join('\n');
}

function describeCommand(results: readonly ClientResult[]): string {
  const clients = results.map(({ client }) => client).filter(({ source }) => source !== '');
  const options = clients.map(({ adapter, version }) => {
    const name = adapter.title.toLowerCase();
    return ` --client ${version === '' ? name : `${name}@${version}`}=FOLDER`;
  });
  return `npm run bench -- web-rivals${options.join('')}`;
}

function formatVisits(visits: readonly Visit[]): string {
  const times = visits.map(({ readableMs }) => readableMs).toSorted((one, other) => one - other);
  const round = (milliseconds: number | undefined): string => Math.round(milliseconds ?? 0).toLocaleString('en');
  return `${round(times[Math.floor(times.length / 2)])} ms (${round(times[0])}–${round(times.at(-1))})`;
}

/** The median: a client may have loaded more when a slow visit is readable. */
function formatFiles(visits: readonly Visit[]): string {
  const sorted: Transfers[] = visits.map(({ files }) => files).toSorted((one, other) => one.bytes - other.bytes);
  const { bytes, count } = sorted[Math.floor(sorted.length / 2)] ?? { bytes: 0, count: 0 };
  return `${(bytes / 1024).toFixed(0)} KB in ${count} files`;
}

const maxShift = (visits: readonly Visit[]): string =>
  Math.max(...visits.map(({ layoutShift }) => layoutShift)).toFixed(3);

/** Browsers report tasks from 50 ms on. */
const formatTask = ({ maxTaskMs }: ScrollResult): string =>
  maxTaskMs === 0 ? 'below 50 ms' : `${Math.round(maxTaskMs)} ms`;

const formatFrames = (frames: number | undefined): string =>
  frames === undefined ? 'only in a menu' : `${frames} frame${frames === 1 ? '' : 's'}`;
