import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { toError } from '../../errors.ts';

/** One run of PostgreSQL. */
export interface PostgresProcess {
  /** Resolves with the exit code or signal. */
  readonly exited: Promise<string | number>;
  /** Returns its latest output, in one line. */
  readonly recentOutput: () => string;
  /** Resolves when it accepts connections. Rejects if it ends before. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly launch: () => PostgresProcess;
  /** Cleans up after a run that was killed. */
  readonly cleanUp: () => Promise<void>;
  /** Whether PostgreSQL is restarted if it ends unexpectedly. */
  readonly restart: boolean;
  readonly log: Logger;
  /** Called once, after the last run. */
  readonly onExit: () => void;
  /** Delays before each restart in milliseconds. After the last one no restart is attempted. */
  readonly restartDelaysMs?: readonly number[];
}

/** The delays apply to restarts within ten minutes; later ones begin with the first delay. */
const restartDelaysMs = [0, 500, 2_000, 5_000, 10_000, 20_000];
const restartWindowMs = 600_000;

/** Restarts PostgreSQL if it dies, until it is stopped or dies too often. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  readonly #crashed = Promise.withResolvers<string>();
  #restarts: number[] = [];
  #running: PostgresProcess;
  #supervising: Promise<void> = Promise.resolve();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#running = options.launch();
    // `start` and the restart handle the rejection.
    this.#running.ready.catch(() => {});
  }

  /** Resolves with a message if PostgreSQL ended and is not restarted. */
  get crashed(): Promise<string> {
    return this.#crashed.promise;
  }

  /** Resolves when PostgreSQL accepts connections. If it does not start, rejects with nothing left running. */
  async start(): Promise<void> {
    try {
      await this.#running.ready;
    } catch (error) {
      await this.#running.stop();
      this.#options.onExit();
      throw error;
    }
    this.#supervising = this.#supervise();
  }

  /** Stops PostgreSQL, also during a restart. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running.stop();
    await this.#supervising;
  }

  async #supervise(): Promise<void> {
    for (;;) {
      const code = await this.#running.exited;
      if (this.#stopping.signal.aborted) break;
      const reason = `PostgreSQL ended unexpectedly (${code}): ${this.#running.recentOutput()}`;
      if (this.#options.restart && (await this.#restart(reason))) continue;
      if (!this.#stopping.signal.aborted) this.#crashed.resolve(reason);
      break;
    }
    this.#options.onExit();
  }

  /** Returns whether PostgreSQL was restarted. */
  async #restart(reason: string): Promise<boolean> {
    const { log, cleanUp, launch, restartDelaysMs: delaysMs = restartDelaysMs } = this.#options;
    log.error({ reason }, 'PostgreSQL ended unexpectedly; restarting it');
    for (;;) {
      const now = Date.now();
      this.#restarts = this.#restarts.filter((at) => at > now - restartWindowMs);
      const delay = delaysMs[this.#restarts.length];
      if (delay === undefined) return false;
      this.#restarts.push(now);
      await pause(delay, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#stopping.signal.aborted) return false;
      try {
        await cleanUp();
        if (this.#stopping.signal.aborted) return false;
        this.#running = launch();
        await this.#running.ready;
        log.info('PostgreSQL was restarted');
        return true;
      } catch (error) {
        if (this.#stopping.signal.aborted) return false;
        log.error({ reason: toError(error).message }, 'PostgreSQL could not be restarted');
        await this.#running.stop();
      }
    }
  }
}
