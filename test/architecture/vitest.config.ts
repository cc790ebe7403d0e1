import { defineConfig } from 'vitest/config';

/** The architecture tests by themselves, as `npm run check` runs them: without a database, in one worker. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['test/architecture.test.ts', 'test/architecture/*.test.ts'],
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    env: { NODE_ENV: 'test' },
    // Node runs the sources as they are: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
