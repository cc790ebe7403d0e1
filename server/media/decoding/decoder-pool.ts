import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { FairSemaphore } from '../../platform/fair-semaphore.ts';
import { serviceUnavailable } from '../../platform/http/http-errors.ts';
import { message, toMessage, type Message } from '../../platform/i18n/message.ts';
import type { Reply, Results, Task } from './tasks.ts';

/** The limits of a task, after which its process is killed. */
interface DecoderLimits {
  readonly timeoutSeconds: number;
  /** CPU time of tasks that only inspect a file. Default: `maxInspectionSeconds`. */
  readonly inspectionSeconds?: number;
  /** Resident memory of the decoding process. */
  readonly maxMegabytes: number;
  /** Maximum time that a task waits for its turn, for pools whose tasks clients wait for. */
  readonly maxWaitMs?: number;
}

/** A file that cannot be used. The text is shown to its owner. */
export class RefusedFile extends Error {
  override name = 'RefusedFile';
  readonly text: Message;

  constructor(text: Message, options?: ErrorOptions) {
    super(String(text), options);
    this.text = text;
  }
}

const busy = () => serviceUnavailable(message('media.busy'));

/** The text about a file whose decoder fails, is killed, or takes too long. */
export const processingFailed = message('media.processingFailed');

const idleTimeoutMs = 30_000;
const usageCheckIntervalMs = 250;
const pageBytes = 4_096;
/** Clock ticks of Linux, in which it reports CPU time. */
const ticksPerSecond = 100;
/** Reading the facts about a file takes milliseconds; the rest is for a process that is just starting. */
const maxInspectionSeconds = 4;

/**
 * A few decoding processes, shared by all servers of this process: a broken or hostile file can end only its decoding
 * process. Each is started when it is needed and ends after half a minute without work.
 */
export class DecoderPool {
  readonly #turns: FairSemaphore;
  readonly #limits: DecoderLimits;
  readonly #priority: number;
  readonly #idle: ChildProcess[] = [];

  constructor(options: { concurrency: number; limits: DecoderLimits; priority: number }) {
    const { maxWaitMs } = options.limits;
    this.#turns = new FairSemaphore(
      options.concurrency,
      maxWaitMs === undefined ? undefined : { maxWaitMs, createError: busy },
    );
    this.#limits = options.limits;
    this.#priority = options.priority;
  }

  /**
   * Runs a task in a separate process. Tasks of different owners (accounts) take turns. Throws RefusedFile, also if the
   * process had to be killed, 503 if its turn does not come in time, and ENOSPC if the disk is full.
   */
  run<Name extends Task['name']>(owner: string, task: Extract<Task, { name: Name }>): Promise<Results[Name]> {
    return this.#turns.run(owner, async () => {
      const child = this.#idle.pop() ?? this.#start();
      const reply = await this.#send(child, task);
      if (child.connected && child.exitCode === null && !killed.has(child)) this.#markIdle(child);
      if ('done' in reply) return reply.done as Results[Name];
      if ('full' in reply) throw Object.assign(new Error(`ENOSPC: ${reply.full}`), { code: 'ENOSPC' });
      if ('failed' in reply) throw new RefusedFile(processingFailed, { cause: reply.failed });
      throw new RefusedFile(toMessage(reply.refused.key, reply.refused.params));
    });
  }

  #start(): ChildProcess {
    const child = fork(new URL('process.ts', import.meta.url), {
      execArgv: ['--max-old-space-size=384', '--disable-warning=ExperimentalWarning'],
      // Decoders need no settings.
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], VIPS_CONCURRENCY: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A process group, so that it ends together with the processes that it started.
      detached: true,
    });
    child.on('error', () => killProcessGroup(child));
    child.once('exit', () => this.#removeIdle(child));
    if (child.pid !== undefined) lowerPriority(child.pid, this.#priority);
    return child;
  }

  #send(child: ChildProcess, task: Task): Promise<Reply> {
    clearTimeout(idleTimers.get(child));
    child.ref();
    child.channel?.ref();
    const { inspectionSeconds: maxInspection = maxInspectionSeconds } = this.#limits;
    return new Promise((resolve) => {
      const end = (reply: Reply): void => {
        clearTimeout(late);
        clearInterval(watch);
        child.removeListener('message', onMessage);
        child.removeListener('exit', onExit);
        resolve(reply);
      };
      const kill = (why: string): void => {
        killProcessGroup(child);
        end({ failed: why });
      };
      const onMessage = (reply: Reply): void => end(reply);
      const onExit = (code: number | null, signal: string | null): void =>
        end({ failed: `the decoding process ended with ${code ?? signal}` });
      const late = setTimeout(() => kill('it takes too long'), this.#limits.timeoutSeconds * 1_000);
      const usedBefore = cpuSeconds(child.pid);
      const watch = setInterval(() => {
        void memoryUsageMegabytes(child.pid).then((megabytes) => {
          if (megabytes > this.#limits.maxMegabytes) kill('it takes too much memory');
        });
        if (task.name === 'inspect' && cpuSeconds(child.pid) - usedBefore > maxInspection)
          kill('its inspection takes too long');
      }, usageCheckIntervalMs);
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send(task, (error) => error !== null && kill(error.message));
    });
  }

  /** Keeps an idle process for the next task. It does not keep this process alive. */
  #markIdle(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#idle.push(child);
    const end = (): void => {
      this.#removeIdle(child);
      killProcessGroup(child);
    };
    idleTimers.set(child, setTimeout(end, idleTimeoutMs).unref());
  }

  #removeIdle(child: ChildProcess): void {
    const place = this.#idle.indexOf(child);
    if (place >= 0) this.#idle.splice(place, 1);
  }
}

const idleTimers = new WeakMap<ChildProcess, NodeJS.Timeout>();
/** Killed processes, which get no more tasks while they exit. */
const killed = new WeakSet<ChildProcess>();

function lowerPriority(pid: number, by: number): void {
  try {
    setPriority(pid, Math.min(by, constants.priority.PRIORITY_LOW));
  } catch {
    // Without permission to lower its priority, the process runs at normal priority.
  }
}

/** Kills a decoding process and its children. */
function killProcessGroup(child: ChildProcess): void {
  killed.add(child);
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Returns the resident megabytes of a process and its children; 0 if the system does not report them. */
async function memoryUsageMegabytes(pid: number | string | undefined): Promise<number> {
  try {
    const [, resident = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
    const below = await Promise.all(children.map(memoryUsageMegabytes));
    return below.reduce((sum, megabytes) => sum + megabytes, (Number(resident) * pageBytes) / 1024 / 1024);
  } catch {
    return 0;
  }
}

/** Returns the seconds of CPU time that a process has used; 0 if the system does not report them. */
function cpuSeconds(pid: number | undefined): number {
  try {
    // The name of the program before the parenthesis may contain spaces. utime and stime: fields 14 and 15 of proc(5).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** For images: a client waits for the response. */
export const imageDecoders = new DecoderPool({
  concurrency: 2,
  limits: { timeoutSeconds: 20, maxMegabytes: 900, maxWaitMs: 30_000 },
  priority: 5,
});

/**
 * For video, audio and animations, which are decoded by a job with a lease of five minutes.
 */
export const audioVideoDecoders = new DecoderPool({
  concurrency: 1,
  limits: { timeoutSeconds: 240, maxMegabytes: 1_400 },
  priority: 15,
});
