// Run by bootstrap.mjs: bundles the program, and imports it, so that it is in Node's compile cache.
import { installedFile, compileCache, root } from './bootstrap.mjs';
import { importBundle, openBundle } from './bundle/open-bundle.mjs';
import { programGroups } from './bundle/program-groups.mjs';
import { writeBundle } from './bundle/write-bundle.mjs';

await writeBundle({ root, folder: compileCache, installed: installedFile, groups: programGroups });
const { runCommandLine } = await importBundle(openBundle(root, compileCache));
await runCommandLine(['--version']);
