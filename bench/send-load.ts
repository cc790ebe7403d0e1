import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { LoadPlan, LoadResult } from './load.ts';

const idle: ChildProcess[] = [];

/** Lets another process send the load, so that its work does not count as the server's. The process waits for more. */
export async function sendLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = idle.pop() ?? fork(join(import.meta.dirname, 'load.ts'));
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  const onExit = (code: number | null): void => reject(new Error(`the load generator ended with ${code}`));
  child.once('exit', onExit).once('message', resolve);
  child.ref();
  child.channel?.ref();
  child.send(plan);
  const result = await promise;
  child.off('exit', onExit);
  child.unref();
  child.channel?.unref();
  idle.push(child);
  return result;
}
