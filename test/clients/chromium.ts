import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';

/** Why tests that need Chromium are skipped. */
export const noChromium = 'no Chromium: install one as `chromium`, or name the program in CHROMIUM';

/** Returns the program to start, from CHROMIUM or PATH; undefined without one. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return process.env['CHROMIUM'] ?? programs.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const switches = [
  '--headless',
  // The sandbox does not start as root, and the pages are those of the test.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  // Chromium contacts nothing but this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  '--remote-debugging-port=0',
];

/** The tab of a headless Chromium, driven through the DevTools protocol. */
export class Tab {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium closed the connection'));
    });
  }

  /** Starts Chromium. Disposing `stack` stops it and deletes its profile. */
  static async open(stack: AsyncDisposableStack, program: string): Promise<Tab> {
    const profile = mkdtempSync(join(tmpdir(), 'ff-chromium-'));
    stack.defer(() => rmSync(profile, { recursive: true, force: true, maxRetries: 10 }));
    const child = spawn(program, [...switches, `--user-data-dir=${profile}`, 'about:blank'], {
      env: { ...process.env, HOME: profile },
      stdio: 'ignore',
    });
    stack.defer(() => stop(child));
    const port = await waitForPort(child, join(profile, 'DevToolsActivePort'));
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    const targets = (await response.json()) as { type: string; webSocketDebuggerUrl: string }[];
    const page = targets.find(({ type }) => type === 'page');
    if (page === undefined) throw new Error('Chromium has no tab');
    const socket = new WebSocket(page.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('Chromium refused the connection')));
    });
    return new Tab(socket);
  }

  /** Runs a function in the page and returns its JSON. It can use nothing but its arguments and what the page offers. */
  async run<Args extends readonly unknown[], Result>(
    task: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const expression = `(${task.toString()})(...${JSON.stringify(args)})`;
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.command<Evaluation>('Runtime.evaluate', params);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result?.value as Awaited<Result>;
  }

  /** Sends a command of the DevTools protocol and returns its result. */
  async command<Result = unknown>(method: string, params: object = {}): Promise<Result> {
    const id = (this.#lastId += 1);
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return (await answer.promise) as Result;
  }

  /** Polls a condition in the page, also while the tab loads another page. */
  async waitUntil<Args extends readonly unknown[]>(
    condition: (...args: Args) => boolean,
    ...args: Args
  ): Promise<void> {
    await expect.poll(async () => this.run(condition, ...args).catch(() => false)).toBe(true);
  }

  #receive({ id, result, error }: Message): void {
    const answer = this.#waiting.get(id ?? 0);
    this.#waiting.delete(id ?? 0);
    if (error === undefined) answer?.resolve(result ?? {});
    else answer?.reject(new Error(error.message));
  }
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Evaluation {
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** Chromium chooses a port and writes it to a file once it listens. */
async function waitForPort(child: ChildProcess, file: string): Promise<string> {
  const readPort = (): string | undefined => {
    if (child.exitCode !== null) return 'exited';
    try {
      return /^(\d+)\n\//.exec(readFileSync(file, 'utf8'))?.[1];
    } catch {
      return undefined;
    }
  };
  await expect.poll(readPort).toBeDefined();
  expect(child.exitCode, 'Chromium exited at once').toBeNull();
  return readPort() ?? '';
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}
