import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LoadPlan, LoadResult } from './load.ts';

/** Lets another process send the load, so that its work does not count as the server's. */
export async function sendLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(plan));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(output) as LoadResult;
}
