// Run by bootstrap.mjs: bundles the program, and imports it, so that it is in Node's compile cache.
import { installedFile, compileCache, root } from './bootstrap.mjs';
import { importBundle, openBundle } from './bundle/open-bundle.mjs';
import { writeBundle } from './bundle/write-bundle.mjs';

await writeBundle({
  root,
  folder: compileCache,
  installed: installedFile,
  // The command line starts PostgreSQL, and meanwhile imports the rest.
  groups: [
    ['server/cli/run.ts', 'server/cli/serve/serve-command.ts', 'server/cli/serve/serve.ts'],
    ['server/cli/serve/start-server.ts'],
  ],
});
const { runCommandLine } = await importBundle(openBundle(root, compileCache));
await runCommandLine(['--version']);
