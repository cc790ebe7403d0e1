// Run by bootstrap.mjs: imports the whole program, so that its modules are packed and in Node's compile cache.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installedFile, packFile, root } from './bootstrap.mjs';
import { recordModules } from './module-pack.mjs';

const writePack = recordModules(root, installedFile);
process.on('exit', () => writePack(packFile));
await import(pathToFileURL(join(root, 'server/cli/serve/start-server.ts')).href);
process.argv = [process.execPath, 'fieldfare', '--version'];
await import(pathToFileURL(join(root, 'server/main.ts')).href);
