import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..');

/** How long a process on a busy machine may take to print its next line. */
const outputTimeoutMs = 100_000;

/** The result of a command. */
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

  /** Waits until the process has printed `text`. Throws with its whole output if it exits before, or takes too long. */
  async waitForOutput(text: string): Promise<void> {
    const printed = Promise.withResolvers<void>();
    const check = (): void => {
      if (this.stdout.includes(text)) printed.resolve();
    };
    const fail = (): void =>
      printed.reject(new Error(`"${text}" was not printed, only:\n${this.stdout}${this.stderr}`));
    const timer = setTimeout(fail, outputTimeoutMs);
    this.child.stdout?.on('data', check);
    void this.exited.then(fail);
    check();
    await printed.promise.finally(() => {
      clearTimeout(timer);
      this.child.stdout?.off('data', check);
    });
  }

  async kill(signal: NodeJS.Signals): Promise<ExitResult> {
    this.child.kill(signal);
    return this.exited;
  }
}

// Bundles the program if its sources changed, as `npm start` does: a process starts in a third of the time then. Here and not
// in a test, because it takes seconds.
const bootstrap = pathToFileURL(join(root, 'bin', 'bootstrap.mjs')).href;
const bundle = `const { ensureCompiled } = await import('${bootstrap}'); await ensureCompiled();`;
execFileSync(process.execPath, ['--input-type=module', '--eval', bundle], { stdio: 'inherit' });

/** A data folder for a test, with settings for a server on it. Disposal kills the processes that still run. */
export class Installation implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ff-ops-'));
  readonly dataDir = join(this.folder, 'data');
  /** The working directory of commands, so that nothing is written into the checkout. */
  readonly cwd = mkdtempSync(join(tmpdir(), 'ff-cwd-'));
  readonly #settings: Record<string, string>;
  readonly #started: CliProcess[] = [];

  constructor(settings: Record<string, string> = {}) {
    this.#settings = settings;
  }

  /** Starts `fieldfare` with these arguments. */
  run(args: readonly string[], settings: Record<string, string> = {}, input?: string): CliProcess {
    return this.#spawn([process.execPath, join(root, 'bin', 'fieldfare.mjs'), ...args], settings, input);
  }

  /** Starts `fieldfare` with these arguments in a container: it sees the files, and none of the processes. Needs root. */
  runInContainer(args: readonly string[], settings: Record<string, string> = {}): CliProcess {
    const container = ['unshare', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'];
    return this.#spawn([...container, process.execPath, join(root, 'bin', 'fieldfare.mjs'), ...args], settings);
  }

  /** Starts the `fieldfare` of another checkout with these arguments: from its sources, which only its first process compiles. */
  runCheckout(folder: string, args: readonly string[], settings: Record<string, string> = {}): CliProcess {
    const cache = { NODE_COMPILE_CACHE: join(this.folder, 'compiled') };
    return this.#spawn([process.execPath, join(folder, 'server', 'main.ts'), ...args], { ...cache, ...settings });
  }

  /** Runs `fieldfare` at a terminal, where `input` is typed. Returns its result; stdout has what the terminal shows. */
  runAtTerminal(args: readonly string[], input: string): Promise<ExitResult> {
    const command = [process.execPath, join(root, 'bin', 'fieldfare.mjs'), ...args].map((word) => `'${word}'`);
    return this.#spawn(['script', '-qec', command.join(' '), '/dev/null'], {}, input).exited;
  }

  /** Starts the server as in production: `npm start`. */
  npmStart(settings: Record<string, string>): CliProcess {
    return this.#spawn(['npm', 'start'], settings);
  }

  /** Starts the server that restarts after changes: `npm run dev`. */
  npmRunDev(settings: Record<string, string>): CliProcess {
    return this.#spawn(['npm', 'run', 'dev'], settings);
  }

  #spawn([command = '', ...args]: readonly string[], settings: Record<string, string>, input?: string): CliProcess {
    const child = spawn(command, args, {
      cwd: command === 'npm' ? root : this.cwd,
      env: { PATH: process.env['PATH'], HOME: this.folder, ...this.environment(settings) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input ?? '');
    const started = new CliProcess(child);
    this.#started.push(started);
    return started;
  }

  /** Runs a command as a process. Returns its result. */
  async runToEnd(...args: string[]): Promise<ExitResult> {
    return this.run(args).exited;
  }

  /** Returns the environment of its commands. */
  environment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
    // Without the web client, which may or may not be built here.
    return { DATA_DIR: this.dataDir, WEB_CLIENT_DIR: 'none', ...this.#settings, ...settings };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const started of this.#started) {
      const { exitCode, signalCode, spawnfile } = started.child;
      // A container ignores other signals.
      if (exitCode === null && signalCode === null) await started.kill(spawnfile === 'unshare' ? 'SIGKILL' : 'SIGTERM');
    }
    for (const folder of [this.folder, this.cwd]) rmSync(folder, { recursive: true, force: true });
  }
}
