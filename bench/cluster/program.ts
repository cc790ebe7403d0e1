import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { findProgram } from '../../bin/test-programs.mjs';
import { endWithProcess } from '../end-with-process.ts';
import { waitFor } from './wait-for.ts';

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another user: as root, programs that need no rights get none. */
  readonly user?: { readonly uid?: number; readonly gid?: number } | undefined;
  /** Returns whether it can be used. Errors are the same as false. */
  readonly isReady: () => Promise<boolean>;
  /** Ends it in order. Default: SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Ends it at once when this process ends. Default: SIGKILL. */
  readonly abortSignal?: NodeJS.Signals;
}

/** Of the last errors, in characters. */
const maxErrorLength = 4_000;

/** The user and group `nobody`, if this process is root. */
export const nobody: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Has the system send a signal to the program when this process ends, also by SIGKILL. Linux only. */
function endWithParent(signal: NodeJS.Signals): string[] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined;
  return setpriv === undefined ? [] : [setpriv, '--pdeathsig', signal.replace(/^SIG/u, ''), '--'];
}

/**
 * A program that runs, can be killed, and started again. It ends with this process. Ctrl-C reaches only this process, which
 * then ends its programs in order.
 */
export class Program implements AsyncDisposable {
  readonly #options: ProgramOptions;
  #child: ChildProcess;
  #errors = '';
  /** Its children that were stopped. */
  readonly #frozen: number[] = [];

  private constructor(options: ProgramOptions) {
    this.#options = options;
    this.#child = this.#launch();
  }

  /** Starts a program, and waits until it can be used. Throws if it ends before. */
  static async start(options: ProgramOptions): Promise<Program> {
    const program = new Program(options);
    await program.#waitUntilReady();
    return program;
  }

  get processId(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
    // Frozen children do not notice that.
    for (const id of this.#frozen.splice(0)) process.kill(id, 'SIGKILL');
  }

  /** Stops it and its children without ending them: their connections stay open, and nothing answers on them. */
  freeze(): void {
    process.kill(this.processId, 'SIGSTOP');
    const children = readFileSync(`/proc/${this.processId}/task/${this.processId}/children`, 'utf8').trim();
    for (const id of children.split(' ').filter(Boolean).map(Number)) {
      process.kill(id, 'SIGSTOP');
      this.#frozen.push(id);
    }
  }

  async restart(): Promise<void> {
    this.#child = this.#launch();
    await this.#waitUntilReady();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(this.#options.stopSignal ?? 'SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }

  async #waitUntilReady(): Promise<void> {
    const { command, args, isReady } = this.#options;
    const state = await waitFor(async () => {
      if (!this.isRunning) return 'ended';
      return (await isReady()) ? 'ready' : undefined;
    });
    if (state === 'ended') throw new Error(`${command} ${args.join(' ')} ended: ${this.#errors.trim()}`);
  }

  #launch(): ChildProcess {
    const { command, args, env, user, abortSignal = 'SIGKILL' } = this.#options;
    const [program = command, ...all] = [...endWithParent(abortSignal), command, ...args];
    const child = spawn(program, all, {
      ...user,
      ...(env && { env }),
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#errors = '';
    endWithProcess(child, abortSignal);
    child.stderr.on(
      'data',
      (chunk: Buffer) => (this.#errors = (this.#errors + chunk.toString()).slice(-maxErrorLength)),
    );
    return child;
  }
}
