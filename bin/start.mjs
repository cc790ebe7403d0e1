// npm start: installs missing packages, builds the web client if its sources changed, and starts the server.
import { join } from 'node:path';
import { ensureCompiled, ensureInstalled, root, runNode, runsRequiredNode, runTypeScript } from './bootstrap.mjs';

await ensureInstalled();
// In a process of its own, because the server would keep the memory of Vite as long as it runs.
if (runsRequiredNode) await runNode([join(root, 'bin/build-web.mjs')]);
await ensureCompiled();
await runTypeScript('server/main.ts', ['serve', ...process.argv.slice(2)]);
