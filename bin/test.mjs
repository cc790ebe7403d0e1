// npm test: installs missing packages and runs the tests. Takes the arguments of vitest.
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from './bootstrap.mjs';

await ensureInstalled({ tools: true });
process.exit(
  await runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)], { cwd: root }),
);
