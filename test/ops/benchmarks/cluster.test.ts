import { expect, test } from 'vitest';
import { findMissingPrograms } from '../../../bench/cluster/cluster.ts';
import { skipUnlessCi } from '../../programs.ts';
import { cellsOf, runBenchmark, toArguments } from './run-benchmark.ts';

test(
  'npm run bench -- cluster measures the CPU of each part for each kind of request',
  { timeout: 300_000 },
  async (context) => {
    const missing = findMissingPrograms();
    if (missing.length > 0) skipUnlessCi(context, `${missing.join(', ')}: node bin/install-test-programs.mjs`);
    const few = { size: '1:0', requests: 60, activities: 10, streams: 2 };
    const section = await runBenchmark('main.ts', ['cluster', ...toArguments(few), '--print']);
    for (const kind of ['home', 'post', 'inbox', 'stream']) {
      const cells = cellsOf(section, kind) ?? [];
      expect(cells.slice(0, 2), kind).toEqual(['1', '0']);
      // The sum of all parts, and the rate.
      for (const figure of cells.slice(-2)) expect(Number(figure), kind).toBeGreaterThan(0);
    }
  },
);
