import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithProcess } from './end-with-process.ts';

/** A process that was started and has printed that it is ready. */
export interface StartedProcess {
  readonly id: number;
  /** What `ready` captured in its output. */
  readonly captured: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a program in `folder`, by default that of the checkout, and waits until its output has a line that `ready` recognises. `input`
 * is sent to it. Throws when it ends before.
 */
export async function startProcess(
  command: string,
  args: readonly string[],
  {
    folder = join(import.meta.dirname, '..'),
    env = {},
    input,
    ready,
  }: { folder?: string; env?: Record<string, string>; input?: string; ready: RegExp },
): Promise<StartedProcess> {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  // A server stops its embedded PostgreSQL then.
  endWithProcess(child, 'SIGTERM');
  child.stdin.end(input);
  const lines = createInterface({ input: child.stdout });
  const [, ...captured] = await Promise.race([
    new Promise<RegExpExecArray>((resolve) =>
      lines.on('line', (line) => {
        const match = ready.exec(line);
        if (match !== null) resolve(match);
      }),
    ),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))),
  ]);
  return { id: child.pid ?? 0, captured, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
