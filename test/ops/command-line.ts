import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startFieldfare } from '../../server/cli/serve/serve.ts';
import { roles } from '../../server/cli/serve/serve-options.ts';
import { commandConfig } from '../../server/cli/command-config.ts';
import { createShell } from '../../server/cli/shell.ts';
import { createLog } from '../../server/platform/log.ts';
import { expect } from 'vitest';
import { runInProcess, type CommandResult } from './run-in-process.ts';
import { createMigratedDatabase, type EmptyDatabase } from './database.ts';

/** A folder and a database of the test run, and commands that run in this process on them. */
export class CommandLine implements AsyncDisposable {
  /** The working directory of commands. */
  readonly folder: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly database: EmptyDatabase;
  readonly #servers: { stop: () => Promise<void> }[] = [];

  constructor(database: EmptyDatabase, settings: Readonly<Record<string, string>>) {
    this.database = database;
    this.folder = mkdtempSync(join(tmpdir(), 'ff-ops-'));
    this.dataDir = join(this.folder, 'data');
    this.env = {
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      DATA_DIR: this.dataDir,
      WEB_CLIENT_DIR: 'none',
      HOST: '127.0.0.1',
      ...settings,
    };
  }

  /** Runs a command. */
  runToEnd(...args: string[]): Promise<CommandResult> {
    return this.runWith({}, ...args);
  }

  /** Runs a command with other settings or with text on its standard input. */
  runWith(
    { stdin = '', ...settings }: Readonly<Record<string, string>> & { readonly stdin?: string },
    ...args: string[]
  ): Promise<CommandResult> {
    return runInProcess(args, { env: { ...this.env, ...settings }, cwd: this.folder, stdin });
  }

  /** Runs a command that must succeed. Returns what it prints. */
  async run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.runToEnd(...args);
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout;
  }

  /** Runs a command that must succeed with --json. Returns the value that it prints. */
  async runJson<Value = unknown>(...args: string[]): Promise<Value> {
    return JSON.parse(await this.run(...args, '--json')) as Value;
  }

  /** Runs a command that must fail. Returns its message. */
  async fail(...args: string[]): Promise<string> {
    const { code, stderr } = await this.runToEnd(...args);
    expect(code, args.join(' ')).toBe(1);
    return stderr;
  }

  /** Runs a command that must fail with a message. */
  async refuse(args: readonly string[], message: string): Promise<void> {
    const { code, stderr } = await this.runToEnd(...args);
    expect([code, stderr.includes(message) || stderr], args.join(' ')).toEqual([1, true]);
  }

  /** Starts the server with all roles in this process. Returns its address. */
  async serve(): Promise<string> {
    const shell = createShell({
      env: this.env,
      cwd: this.folder,
      stdin: Readable.from([]),
      stdout: process.stdout,
      stderr: process.stderr,
    });
    const config = commandConfig({ shell }, { PORT: this.env['PORT'] ?? '0' });
    const running = await startFieldfare({
      config,
      roles: new Set(roles),
      log: createLog({ level: this.env['LOG_LEVEL'] ?? 'warn' }),
      report: () => {},
    });
    this.#servers.push(running);
    return running.address ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server.stop();
    await this.database[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Creates a database with all tables for commands. `settings` are those of the commands and of the server. */
export async function openCommandLine(settings: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  return new CommandLine(await createMigratedDatabase(), settings);
}
