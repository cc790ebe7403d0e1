#!/usr/bin/env node
// The command line, also npm run cli -- …
import { ensureInstalled, runTypeScript } from './bootstrap.mjs';

await ensureInstalled();
await runTypeScript('server/main.ts', process.argv.slice(2));
