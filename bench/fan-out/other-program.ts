import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { endWithProcess } from '../end-with-process.ts';
import type { FanOutStart } from './measure-fan-out.ts';

/** As in server/platform/outgoing/bulk-thread.ts. */
const priorityOfDeliveryThread = 5;

/**
 * A program that has nothing to do with the server and uses one core at the priority of its delivery thread. What
 * other users notice of it is what this machine lets them notice of any work.
 */
export function startOtherProgram(ms: number): Required<Pick<FanOutStart, 'start' | 'isOver'>> {
  let isRunning = false;
  const start = (): Promise<number> => {
    const child = spawn(process.execPath, ['-e', `const end = Date.now() + ${ms}; while (Date.now() < end);`]);
    endWithProcess(child, 'SIGKILL');
    if (child.pid !== undefined) setPriority(child.pid, priorityOfDeliveryThread);
    isRunning = true;
    child.once('exit', () => (isRunning = false));
    return Promise.resolve(0);
  };
  return { start, isOver: () => !isRunning };
}
