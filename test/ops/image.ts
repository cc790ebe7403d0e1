import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliProcess } from './cli-process.ts';

const root = join(import.meta.dirname, '..', '..');
/** Where the image has the release. */
const place = '/opt/fieldfare';

/** A release in a folder, as the image of the Containerfile has it: what it copies and runs, without a container. */
export class Image implements AsyncDisposable {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'ff-image-data-'));
  readonly #folder = mkdtempSync(join(tmpdir(), 'ff-image-'));
  readonly #settings: Readonly<Record<string, string>>;
  readonly #lines: readonly string[];
  readonly #started: CliProcess[] = [];

  constructor(containerfile: string) {
    this.#lines = readFileSync(join(root, containerfile), 'utf8').split('\n');
    const pairs = this.#lines.flatMap((line) => [...(/^ENV (.*)/.exec(line)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)]);
    this.#settings = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
  }

  /** The folder of the release. */
  get path(): string {
    return join(this.#folder, 'moved here');
  }

  /**
   * Builds a release for this machine beside an older one, and moves it. Throws if it fails, or if the image copies something
   * else.
   */
  build(): void {
    const args = ['run', '--silent', 'release', '--', '--arch', process.arch, '--folder-only', '--out'];
    const dist = join(this.#folder, 'dist');
    mkdirSync(join(dist, `fieldfare-0.0.1-linux-${process.arch}`), { recursive: true });
    execFileSync('npm', [...args, dist], {
      cwd: root,
      env: { ...process.env, npm_config_prefer_offline: 'true' },
    });
    const [, copied = ''] = /^COPY (\S+) \/opt\/fieldfare\/$/m.exec(this.#lines.join('\n')) ?? [];
    const [found, ...others] = globSync(copied.replace('${ARCH}', process.arch), { cwd: this.#folder });
    if (found === undefined || others.length > 0) throw new Error(`the image would not copy one folder: ${copied}`);
    renameSync(join(this.#folder, found), this.path);
  }

  /** Starts the server as the image does, without a Node in PATH. Returns when it is ready. */
  async start(port: number): Promise<CliProcess> {
    const server = this.run(this.#words('CMD'), { PORT: String(port) });
    await server.waitForOutput('Fieldfare is ready');
    return server;
  }

  /** Starts a container with these arguments in place of those of the image. */
  run(args: readonly string[], settings: Readonly<Record<string, string>>): CliProcess {
    const [command = '', ...first] = this.#words('ENTRYPOINT');
    const env = { ...this.#environment, ...settings };
    const started = new CliProcess(spawn(command, [...first, ...args], { cwd: this.dataDir, env }));
    this.#started.push(started);
    return started;
  }

  /** Returns the exit code of the health check of the image. */
  checkHealth(port: number): number | null {
    const [command = '', ...args] = this.#words('HEALTHCHECK .* CMD');
    return spawnSync(command, args, { env: { ...this.#environment, PORT: String(port) } }).status;
  }

  /** Runs a command of the command line in the image. Throws if it fails. */
  runCli(...args: readonly string[]): void {
    execFileSync(join(this.path, 'fieldfare'), args, { cwd: this.dataDir, env: this.#environment });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const started of this.#started)
      if (started.child.exitCode === null && started.child.signalCode === null) await started.kill('SIGTERM');
    for (const folder of [this.#folder, this.dataDir]) rmSync(folder, { recursive: true, force: true });
  }

  get #environment(): Record<string, string> {
    return { ...this.#settings, PATH: '/usr/bin:/bin', HOME: this.dataDir, DATA_DIR: this.dataDir };
  }

  /** The words of an instruction in JSON. */
  #words(instruction: string): string[] {
    const [, words = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(this.#lines.join('\n')) ?? [];
    return (JSON.parse(words) as string[]).map((word) => word.replace(place, this.path));
  }
}
