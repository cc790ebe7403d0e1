import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** What a process on a busy machine may need to print its next line. */
const patienceMs = 100_000;

/** How a command ended. */
export interface ExitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `fieldfare` command as a real process. */
export class CliProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<ExitResult>;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.exited = new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  /** Waits until the process has printed `text`. Throws with its whole output if it ends before, or takes too long. */
  async waitForOutput(text: string): Promise<void> {
    const given = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.stdout.includes(text)) given.resolve();
    };
    const fail = (): void => given.reject(new Error(`it never said "${text}" but:\n${this.stdout}${this.stderr}`));
    const timer = setTimeout(fail, patienceMs);
    this.child.stdout?.on('data', look);
    void this.exited.then(fail);
    look();
    await given.promise.finally(() => {
      clearTimeout(timer);
      this.child.stdout?.off('data', look);
    });
  }

  async kill(signal: NodeJS.Signals): Promise<ExitResult> {
    this.child.kill(signal);
    return this.exited;
  }
}

/** A data folder of a test, with the settings that a server on it gets; whatever still runs on it at the end is killed. */
export class Installation implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ff-ops-'));
  readonly dataDir = join(this.folder, 'data');
  readonly #settings: Record<string, string>;
  readonly #started: CliProcess[] = [];

  constructor(settings: Record<string, string> = {}) {
    this.#settings = settings;
  }

  /** Starts `fieldfare` with these arguments. */
  run(args: readonly string[], settings: Record<string, string> = {}, input?: string): CliProcess {
    return this.#spawn([process.execPath, join(root, 'bin', 'fieldfare.mjs'), ...args], settings, input);
  }

  /** Starts the server as people do: `npm start`. */
  npmStart(settings: Record<string, string>): CliProcess {
    return this.#spawn(['npm', 'start'], settings);
  }

  /** Starts the server that restarts after changes: `npm run dev`. */
  npmRunDev(settings: Record<string, string>): CliProcess {
    return this.#spawn(['npm', 'run', 'dev'], settings);
  }

  #spawn([command = '', ...args]: readonly string[], settings: Record<string, string>, input?: string): CliProcess {
    const child = spawn(command, args, {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: this.folder, DATA_DIR: this.dataDir, ...this.#settings, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input ?? '');
    const running = new CliProcess(child);
    this.#started.push(running);
    return running;
  }

  /** Runs a command to its end, and gives how it ended. */
  async runToEnd(...args: string[]): Promise<ExitResult> {
    return this.run(args).exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.#started) {
      if (running.child.exitCode === null && running.child.signalCode === null) await running.kill('SIGTERM');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A port that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
