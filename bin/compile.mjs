// Run by bootstrap.mjs: bundles the program, and imports it, so that it is in Node's compile cache.
import { installedFile, compileCache, root } from './bootstrap.mjs';
import { importBundle, openBundle } from './bundle/open-bundle.mjs';
import { writeBundle } from './bundle/write-bundle.mjs';

await writeBundle({
  root,
  folder: compileCache,
  installed: installedFile,
  // A server starts PostgreSQL with the first group, and meanwhile imports the rest. Commands that only read need the second
  // one and some domains, those for accounts and tokens the third, and the others all: reading takes half the CPU of that.
  groups: [
    ['server/cli/run.ts', 'server/cli/serve/serve-command.ts', 'server/cli/serve/serve.ts'],
    ['server/cli/open/open-app.ts'],
    ['server/cli/open/accounts-app.ts'],
    ['server/cli/serve/start-server.ts'],
  ],
});
const { runCommandLine } = await importBundle(openBundle(root, compileCache));
await runCommandLine(['--version']);
