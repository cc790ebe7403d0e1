import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob, relative } from 'node:path';
import { CliProcess } from './cli-process.ts';

const root = join(import.meta.dirname, '..', '..');

/** A folder with exactly the files that an image has: what the Containerfile copies and then runs, without a container. */
export class Image implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'ff-image-'));
  readonly dataDir = mkdtempSync(join(tmpdir(), 'ff-image-data-'));
  readonly #settings: Readonly<Record<string, string>>;
  readonly #lines: readonly string[];
  #server: CliProcess | undefined;

  constructor(containerfile: string) {
    this.#lines = readFileSync(join(root, containerfile), 'utf8').split('\n');
    const pairs = this.#lines.flatMap((line) => [...(/^ENV (.*)/.exec(line)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)]);
    this.#settings = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
  }

  /** Copies the files of the build and runs its commands. Packages are those of the checkout. Throws if a command fails. */
  build(): void {
    const ignored = readIgnored();
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'));
    for (const line of this.#lines) {
      const [, instruction = '', rest = ''] = /^(COPY|RUN) (?!--from)(.*)$/.exec(line) ?? [];
      if (instruction === 'COPY') this.#copy(rest.split(' '), ignored);
      if (instruction === 'RUN' && rest.startsWith('node ')) this.#runCommand(rest);
    }
  }

  /** Starts the server as the image does. Returns when it is ready. */
  async start(port: number): Promise<CliProcess> {
    const line = this.#lines.find((each) => each.startsWith('ENTRYPOINT ')) ?? '';
    const [command = '', ...args] = JSON.parse(line.replace('ENTRYPOINT ', '')) as string[];
    const child = spawn(command, args, { cwd: this.path, env: { ...this.#environment, PORT: String(port) } });
    this.#server = new CliProcess(child);
    await this.#server.waitForOutput('Fieldfare is ready');
    return this.#server;
  }

  /** Runs a command of the command line in the image. Throws if it fails. */
  runCli(...args: readonly string[]): void {
    this.#runCommand(`node bin/fieldfare.mjs ${args.join(' ')}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server?.child.exitCode === null && this.#server.child.signalCode === null)
      await this.#server.kill('SIGTERM');
    for (const folder of [this.path, this.dataDir]) rmSync(folder, { recursive: true, force: true });
  }

  get #environment(): Record<string, string | undefined> {
    const compiled = { NODE_COMPILE_CACHE: join(this.path, 'compiled') };
    return { ...this.#settings, PATH: process.env['PATH'], HOME: this.dataDir, DATA_DIR: this.dataDir, ...compiled };
  }

  #copy(names: readonly string[], ignored: readonly string[]): void {
    const isIncluded = (path: string): boolean =>
      !ignored.some((pattern) => matchesGlob(relative(root, path), pattern));
    const target = names.at(-1) ?? '.';
    for (const name of names.slice(0, -1)) {
      // A folder is copied as the target, a file into it.
      const into = target.endsWith('/')
        ? join(this.path, target, name.split('/').at(-1) ?? '')
        : join(this.path, target);
      cpSync(join(root, name), into, { recursive: true, preserveTimestamps: true, filter: isIncluded });
    }
  }

  #runCommand(command: string): void {
    const { status, stderr } = spawnSync('sh', ['-c', command], {
      cwd: this.path,
      env: this.#environment,
      encoding: 'utf8',
    });
    if (status !== 0 || stderr.includes('could not be built')) throw new Error(`${command}: ${stderr}`);
  }
}

/** Returns the patterns of .dockerignore. */
function readIgnored(): string[] {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
