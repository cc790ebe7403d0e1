// npm test: installs what is missing and runs the tests; arguments are vitest's.
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from './bootstrap.mjs';

await ensureInstalled({ tools: true });
process.exit(
  await runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)], { cwd: root }),
);
