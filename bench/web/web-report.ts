import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findHomeChunks, type ManifestChunk } from '../../bin/build-web.mjs';
import { describeRun } from '../write-section.ts';
import type { ScrollResult, Visit, VisitResults } from './measure-client.ts';

const dist = join(import.meta.dirname, '..', '..', 'web', 'dist');

/** Bytes of the scripts and styles of home, compressed with Brotli. */
export interface HomeFiles {
  readonly count: number;
  readonly bytes: number;
}

interface WebResult {
  readonly files: HomeFiles;
  readonly visits: VisitResults;
  readonly scrolling: ScrollResult;
  readonly favouriteFrames: number | undefined;
  readonly posts: number;
}

export function measureHomeFiles(): HomeFiles {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
    string,
    ManifestChunk
  >;
  const files = new Set(findHomeChunks(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const sizes = [...files].map((file) => statSync(join(dist, `${file}.br`)).size);
  return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Returns the section of docs/benchmarks.md. */
export function renderSection({ files, visits, scrolling, favouriteFrames, posts }: WebResult): string {
  const all = [...visits.first, ...visits.second];
  const rows: [what: string, measured: string, limit: string][] = [
    ['scripts and styles of home, Brotli', `${(files.bytes / 1024).toFixed(1)} KB in ${files.count} files`, '90 KB'],
    ['first visit: posts are readable', milliseconds(visits.first), '1,000 ms'],
    ['second visit: posts are readable', milliseconds(visits.second), '400 ms'],
    ['layout shift, the worst visit', Math.max(...all.map(({ layoutShift }) => layoutShift)).toFixed(3), '0.02'],
    [`longest task while scrolling ${posts} posts`, maxTask(scrolling), '100 ms'],
    ['heap after it', `${(scrolling.heapBytes / 1_000_000).toFixed(1)} MB`, '80 MB'],
    ['a favourite is shown after', `${favouriteFrames} frame${favouriteFrames === 1 ? '' : 's'}`, '1 frame'],
  ];
  return [
    '## Web client',
    '',
    'Home of an account that follows everyone on a server with demo data, in Chromium on the same machine as the server.',
    'Visits have 4 × CPU slowdown, 9 Mbit/s and 40 ms latency, and are counted from the navigation to the paint of posts.',
    '',
    '| | measured | limit |',
    '|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...describeRun('npm run bench -- web'),
    '',
  ].join('\n');
}

function milliseconds(visits: readonly Visit[]): string {
  const sorted = visits.map(({ readableMs }) => readableMs).toSorted((one, other) => one - other);
  return `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms (median of ${sorted.length}, worst ${Math.round(sorted.at(-1) ?? 0)} ms)`;
}

/** Browsers report tasks from 50 ms on. */
const maxTask = ({ maxTaskMs }: ScrollResult): string =>
  maxTaskMs === 0 ? 'below 50 ms' : `${Math.round(maxTaskMs)} ms`;
