import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    isolate: false,
    pool: 'forks',
    maxWorkers: 2,
    // What a busy machine needs: four other processes on two cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 100_000, interval: 20 } },
    reporters: ['default', './test/reporter.ts'],
    env: { NODE_ENV: 'test' },
  },
});
