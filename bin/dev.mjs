// npm run dev: starts the server and restarts it when a file below server/ changes. --inspect lets a debugger attach.
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from './bootstrap.mjs';

const args = process.argv.slice(2);
const isNodeFlag = (arg) => arg.startsWith('--inspect');

await ensureInstalled({ tools: true });
process.exit(
  await runNode([
    ...args.filter(isNodeFlag),
    `--watch-path=${join(root, 'server')}`,
    '--watch-preserve-output',
    join(root, 'server/main.ts'),
    'serve',
    ...args.filter((arg) => !isNodeFlag(arg)),
  ]),
);
