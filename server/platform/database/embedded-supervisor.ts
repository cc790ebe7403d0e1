import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** One run of PostgreSQL's program. */
export interface PostgresProcess {
  /** Resolves with the exit code or signal when it has ended. */
  readonly exited: Promise<string | number>;
  /** Returns what it wrote last, in one line. */
  readonly recentOutput: () => string;
  /** Resolves when it accepts connections; rejects when it ends before. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly launch: () => PostgresProcess;
  /** Removes what a run that was killed left behind. */
  readonly cleanUp: () => Promise<void>;
  /** Whether PostgreSQL is started again when it ends by itself. */
  readonly restart: boolean;
  readonly log: Logger;
  /** Called once, after the last run. */
  readonly onExit: () => void;
  /** Milliseconds before each restart; after the last one it is given up. */
  readonly restartDelaysMs?: readonly number[];
}

/** For restarts within ten minutes; later ones begin with the first delay again. */
const restartDelaysMs = [0, 500, 2_000, 5_000, 10_000, 20_000];
const restartWindowMs = 600_000;

/** Restarts PostgreSQL when it dies, until it is stopped or has died too often. */
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
    // `start` and the restart wait for it; until then a failure is nobody's.
    this.#running.ready.catch(() => {});
  }

  /** Resolves with a sentence when PostgreSQL ended and is not started again; never otherwise. */
  get crashed(): Promise<string> {
    return this.#crashed.promise;
  }

  /** Resolves when PostgreSQL accepts connections; rejects, with nothing left running, when it does not start. */
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

  /** Stops PostgreSQL, also in the middle of a restart. Safe to call twice. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running.stop();
    await this.#supervising;
  }

  async #supervise(): Promise<void> {
    for (;;) {
      const code = await this.#running.exited;
      if (this.#stopping.signal.aborted) break;
      const reason = `PostgreSQL ended by itself (${code}): ${this.#running.recentOutput()}`;
      if (this.#options.restart && (await this.#restart(reason))) continue;
      if (!this.#stopping.signal.aborted) this.#crashed.resolve(reason);
      break;
    }
    this.#options.onExit();
  }

  /** Returns whether PostgreSQL runs again. */
  async #restart(reason: string): Promise<boolean> {
    const { log, cleanUp, launch, restartDelaysMs: delaysMs = restartDelaysMs } = this.#options;
    log.error({ reason }, 'PostgreSQL ended by itself; starting it again');
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
        log.info('PostgreSQL runs again');
        return true;
      } catch (error) {
        if (this.#stopping.signal.aborted) return false;
        log.error({ reason: (error as Error).message }, 'PostgreSQL could not be started again');
        await this.#running.stop();
      }
    }
  }
}
