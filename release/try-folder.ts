import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const readyMs = 60_000;

/**
 * Starts the server of a release, asks it for its front page, and stops it. It keeps what Node compiled, so that servers start
 * fast where the folder cannot be written. Throws with its output if anything fails.
 */
export async function tryFolder(folder: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'fieldfare-release-'));
  try {
    const port = await findFreePort();
    const output: Buffer[] = [];
    writeFileSync(join(data, '.env'), `PORT=${port}\nBASE_URL=http://localhost:${port}\n`);
    // Settings of this process would count more.
    const env = { PATH: process.env['PATH'] };
    const server = spawn(join(folder, 'fieldfare'), ['serve'], { cwd: data, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
    const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
    try {
      await waitForPage(`http://127.0.0.1:${port}/about`);
      if (!existsSync(join(data, 'data'))) throw new Error('it has its data elsewhere');
    } catch (error) {
      throw new Error(`the release does not start: ${Buffer.concat(output).toString()}`, { cause: error });
    } finally {
      server.kill('SIGTERM');
      await ended;
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function waitForPage(url: string): Promise<void> {
  const deadline = AbortSignal.timeout(readyMs);
  for (;;) {
    const response = await fetch(url, { signal: deadline }).catch(() => undefined);
    if (response?.ok === true) return;
    deadline.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
