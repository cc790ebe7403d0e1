// npm start: installs missing packages and starts the server.
import { ensureCompiled, ensureInstalled, runTypeScript } from './bootstrap.mjs';

await ensureInstalled();
await ensureCompiled();
await runTypeScript('server/main.ts', ['serve', ...process.argv.slice(2)]);
