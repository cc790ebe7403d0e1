// Runs a TypeScript file of the checkout with Node 24: node bin/run.mjs bench/main.ts …
import { ensureInstalled, runNode } from './bootstrap.mjs';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Usage: node bin/run.mjs FILE [ARGUMENTS], such as node bin/run.mjs bench/main.ts\n');
  process.exit(1);
}
await ensureInstalled({ tools: true });
process.exit(await runNode([file, ...args]));
