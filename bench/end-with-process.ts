import type { ChildProcess } from 'node:child_process';

const running = new Map<ChildProcess, NodeJS.Signals>();

process.once('exit', () => running.forEach((signal, child) => child.kill(signal)));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // A program that handles the signal itself ends its children in order.
    if (process.listenerCount(signal) === 1) process.exit(1);
  });

/** Sends `signal` to a program when this process ends, be it by an error or by a signal. */
export function endWithProcess(child: ChildProcess, signal: NodeJS.Signals): void {
  running.set(child, signal);
  child.once('exit', () => running.delete(child));
}
