import type { ChildProcess } from 'node:child_process';

/** Returns an environment without the PG* variables of the operator's shell, which would change how PostgreSQL works. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    TZ: 'UTC',
  };
}

/** Returns a function that returns the latest output of a program, in one line. */
export function collectOutput(child: ChildProcess): () => string {
  let text = '';
  const append = (chunk: Buffer): void => void (text = `${text}${chunk.toString('utf8')}`.slice(-600));
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  child.on('error', (error) => (text = error.message));
  return () => text.trim().split('\n').slice(-4).join(' ');
}

/** Returns the exit code or signal of a program, or the reason why it did not start. */
export async function waitForExit(child: ChildProcess): Promise<string | number> {
  return await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
  });
}
