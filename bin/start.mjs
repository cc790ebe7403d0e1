// npm start: installs missing packages, builds the web client if its sources changed, and starts the server.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCompiled, ensureInstalled, root, runProgram, runsRequiredNode, runStep } from './bootstrap.mjs';

await ensureInstalled();
if (runsRequiredNode) {
  const { isWebClientBuilt, newBuildFolder } = await import('./build-web.mjs');
  // In a process of its own, because the server would keep the memory of Vite as long as it runs.
  if (!isWebClientBuilt()) {
    const folder = newBuildFolder();
    const deleteUnfinished = () => rmSync(folder, { recursive: true, force: true });
    await runStep([join(root, 'bin/build-web.mjs'), folder], {}, deleteUnfinished);
  }
}
await ensureCompiled();
await runProgram(['serve', ...process.argv.slice(2)]);
