import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { bareCase, floorCase, homeCase } from './cases.ts';
import { renderLimits, type Limits } from './limits.ts';
import type { Measurement } from './measure.ts';
import { compareRounds, medianOf } from './rounds.ts';
import type { SoakResult } from './soak.ts';
import type { StarPostResult } from './star-post.ts';
import type { UploadCost } from './uploads.ts';

export interface BenchmarkResults {
  readonly command: string;
  readonly accounts: number;
  readonly statuses: number;
  readonly connections: number;
  /** Of each case, what the rounds showed. */
  readonly measured: readonly (readonly Measurement[])[];
  readonly limits: Limits;
  readonly starPost: StarPostResult | undefined;
  readonly soak: SoakResult | undefined;
  readonly uploads: readonly UploadCost[];
  /** Bytes. */
  readonly idleRssBytes: number;
  readonly loadedRssBytes: number;
  readonly requests: number;
}

const formatMs = (value: number): string => `${value.toFixed(value < 1 ? 3 : 2)} ms`;
const formatMb = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const requestsPerSecond = ({ count, seconds }: Measurement): number => count / seconds;

/** The results as a page of Markdown. */
export function renderReport(results: BenchmarkResults): string {
  const { measured, starPost } = results;
  const lines = [
    '# Benchmarks',
    '',
    'What requests cost on a seeded database. CPU is the time that the server and PostgreSQL used together, read from',
    '/proc for their process trees, divided by the requests; stored work that a request caused is in it. It moves less',
    'than times and rates with what else the machine does, yet by up to 1.6 on shared ones: compare with the bare routes.',
    'Everything is measured in rounds; each line is the median round by CPU, with the range of all rounds. "× hello" is',
    'how often it costs what the smallest response of the framework costs in the same round (the median).',
    '',
    `- Command: \`${results.command}\``,
    `- Date: ${new Date().toISOString().slice(0, 10)}, commit ${currentCommit()}`,
    `- Machine: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${formatMb(totalmem())} of memory, Node ${process.versions.node}`,
    `- Database: ${results.accounts.toLocaleString('en')} accounts, ${results.statuses.toLocaleString('en')} statuses; each of eight readers follows 300`,
    `- Load: ${results.connections} connections from another process, unless the line names others; requests take turns through the tokens of several users`,
    '',
    '| request | CPU | range | at most | × hello | of it Node | of it PostgreSQL | p50 | p99 | requests/s | bytes |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...measured.map((rounds) => renderRow(rounds, roundsOf(measured, floorCase))),
    '',
  ];
  const shares = homeShares(measured);
  if (shares.length > 0) {
    const middle = shares[Math.floor((shares.length - 1) / 2)];
    lines.push(
      `- Home reaches ${middle} % of the rate of the bare route (aim: 60 %), the median of ${shares.join(', ')} % in the rounds.`,
    );
  }
  if (starPost) {
    const { followers, responseMs, fanOutMs, cpuMs } = starPost;
    lines.push(
      `- A post to ${followers.toLocaleString('en')} local followers: answered in ${formatMs(responseMs)} (aim: 50 ms), in the last feed after ` +
        `${formatMs(fanOutMs)} (aim: 3,000 ms), ${formatMs(cpuMs)} of CPU; the slowest of five.`,
    );
  }
  lines.push(`- Memory of the Node process: ${formatMb(results.idleRssBytes)} idle (aim: 130 MB).`);
  if (results.soak) {
    const { requests, rssBytes } = results.soak;
    lines.push(
      `- Memory after each tenth of ${requests.toLocaleString('en')} requests, of every kind of read with one post in a hundred ` +
        `(aim: below 300 MB, flat): ${rssBytes.map((bytes) => Math.round(bytes / 1_000_000)).join(', ')} MB.`,
    );
  }
  const sent = results.requests.toLocaleString('en');
  lines.push(
    `- Memory after the ${sent} requests of the table, with threads of 0.9 MB to 16 requests at once: ${formatMb(results.loadedRssBytes)}.`,
    '',
    ...renderLimits(measured, results.limits),
  );
  lines.push(...renderUploads(results.uploads));
  return lines.join('\n');
}

/** The rounds of a case; none if it was not measured. */
const roundsOf = (measured: BenchmarkResults['measured'], wanted: string): readonly Measurement[] =>
  measured.find(([first]) => first?.name === wanted) ?? [];

/** For each round, the rate of home in per cent of that of the bare route, which was measured right after it. */
function homeShares(measured: BenchmarkResults['measured']): number[] {
  const bare = roundsOf(measured, bareCase);
  return roundsOf(measured, homeCase)
    .flatMap((home, round) => {
      const other = bare[round];
      return other === undefined ? [] : [Math.round((requestsPerSecond(home) / requestsPerSecond(other)) * 100)];
    })
    .toSorted((a, b) => a - b);
}

function renderUploads(uploads: readonly UploadCost[]): string[] {
  if (uploads.length === 0) return [];
  const rows = uploads.map(({ name, bytes, cpuMs, maxCpuMs, maxTurnMs, maxDelayMs }) => {
    const judged =
      maxCpuMs === undefined || cpuMs <= maxCpuMs ? `${Math.round(cpuMs)} ms` : `**${Math.round(cpuMs)} ms**`;
    return `| ${name} | ${formatMb(bytes)} | ${judged} | ${maxCpuMs === undefined ? '' : `${maxCpuMs} ms`} | ${maxTurnMs.toFixed(1)} ms | ${maxDelayMs.toFixed(1)} ms |`;
  });
  return [
    '## Uploads',
    '',
    'Images of 12 megapixels, one upload at a time. CPU is that of the server and of the process that decodes, for one',
    'upload; busy is the longest turn of the event loop of the server in CPU time of its thread (aim: 50 ms), late the',
    'longest that the loop stood still by the clock, which counts also that other processes had the core.',
    '',
    '| image | file | CPU | at most | busy | late |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'Nothing is decoded in the process of the server; the one that decodes runs at a lower priority. What limits each, of',
    'step by step measurements: the decoding of AVIF (1 s) and WebP (350 ms with scaling; of JPEG and PNG 150 ms); the',
    'encoding of PNG (460 ms where the image is rich, whatever the effort) and WebP (360 ms at the least effort), against',
    '110 ms of JPEG. So each image is decoded once, for the stored image and for its preview (a second decoding cost PNG and',
    'WebP 100 to 150 ms); and what is scaled down anyway becomes JPEG if it is a photograph without transparency.',
    '',
  ];
}

function renderRow(rounds: readonly Measurement[], floor: readonly Measurement[]): string {
  const measurement = medianOf(rounds);
  const costs = rounds.map(({ nodeMs, postgresMs }) => nodeMs + postgresMs);
  const range = `${formatMs(Math.min(...costs)).replace(' ms', '')}–${formatMs(Math.max(...costs))}`;
  const { name, targetMs, nodeMs, postgresMs, p50Ms, p99Ms, bytes } = measurement;
  const cpu = nodeMs + postgresMs;
  const judged = targetMs === undefined || cpu <= targetMs ? formatMs(cpu) : `**${formatMs(cpu)}**`;
  const limit = targetMs === undefined ? '' : `${targetMs.toFixed(2)} ms`;
  const cells = [
    name,
    judged,
    range,
    limit,
    renderTimes(rounds, floor),
    formatMs(nodeMs),
    formatMs(postgresMs),
    formatMs(p50Ms),
    formatMs(p99Ms),
  ];
  return `| ${cells.join(' | ')} | ${Math.round(requestsPerSecond(measurement)).toLocaleString('en')} | ${bytes.toLocaleString('en')} |`;
}

/** Returns how often a case costs the floor; nothing if so few requests were sent that the floor has no CPU. */
function renderTimes(rounds: readonly Measurement[], floor: readonly Measurement[]): string {
  const { median } = compareRounds(rounds, floor);
  return Number.isFinite(median) ? median.toFixed(1) : '';
}

function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
