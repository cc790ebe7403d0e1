import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/file-order.ts';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    isolate: false,
    pool: 'forks',
    // Young objects of a test die before a collection: docs/decisions/0025.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // More than cores, because some tests wait. Any files may run together; a worker and its browser take about 1 GB.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFilesFirst },
    // What a busy machine needs: four other processes on two cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 100_000, interval: 20 } },
    reporters: ['default', './test/reporter.ts'],
    env: { NODE_ENV: 'test' },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          globalSetup: ['test/global-setup.ts'],
          setupFiles: ['test/setup.ts'],
          // Node runs the sources as they are, as in production: nothing is transformed.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      // The client needs Vite for its components.
      { extends: true, test: { name: 'web', include: ['web/src/**/*.test.ts'] } },
    ],
  },
});
