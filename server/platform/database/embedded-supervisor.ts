import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** One run of PostgreSQL's program. */
export interface Launched {
  /** Resolves with the exit code or signal when it has ended. */
  readonly gone: Promise<string | number>;
  /** Returns what it wrote last, in one line. */
  readonly said: () => string;
  /** Resolves when it accepts connections; rejects when it ends before. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export interface SupervisorParts {
  readonly launch: () => Launched;
  /** Removes what a run that was killed left behind. */
  readonly prepare: () => Promise<void>;
  /** Whether PostgreSQL is started again when it ends by itself. */
  readonly restart: boolean;
  readonly log: Logger;
  /** Called once, after the last run. */
  readonly onEnd: () => void;
  /** Milliseconds before each restart; after the last one it is given up. */
  readonly delays?: readonly number[];
}

/** For restarts within ten minutes; later ones begin with the first delay again. */
const restartDelays = [0, 500, 2_000, 5_000, 10_000, 20_000];
const restartWindow = 600_000;

/** Restarts PostgreSQL when it dies, until it is stopped or has died too often. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #stopping = new AbortController();
  readonly #died = Promise.withResolvers<string>();
  #restarts: number[] = [];
  #running: Launched;
  #supervising: Promise<void> = Promise.resolve();

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#running = parts.launch();
    // `start` and the restart wait for it; until then a failure is nobody's.
    this.#running.ready.catch(() => {});
  }

  /** Resolves with a sentence when PostgreSQL ended and is not started again; never otherwise. */
  get died(): Promise<string> {
    return this.#died.promise;
  }

  /** Resolves when PostgreSQL accepts connections; rejects, with nothing left running, when it does not start. */
  async start(): Promise<void> {
    try {
      await this.#running.ready;
    } catch (error) {
      await this.#running.stop();
      this.#parts.onEnd();
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
      const code = await this.#running.gone;
      if (this.#stopping.signal.aborted) break;
      const reason = `PostgreSQL ended by itself (${code}): ${this.#running.said()}`;
      if (this.#parts.restart && (await this.#restart(reason))) continue;
      if (!this.#stopping.signal.aborted) this.#died.resolve(reason);
      break;
    }
    this.#parts.onEnd();
  }

  /** Returns whether PostgreSQL runs again. */
  async #restart(reason: string): Promise<boolean> {
    const { log, prepare, launch, delays = restartDelays } = this.#parts;
    log.error({ reason }, 'PostgreSQL ended by itself; starting it again');
    for (;;) {
      const now = Date.now();
      this.#restarts = this.#restarts.filter((at) => at > now - restartWindow);
      const delay = delays[this.#restarts.length];
      if (delay === undefined) return false;
      this.#restarts.push(now);
      await pause(delay, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#stopping.signal.aborted) return false;
      try {
        await prepare();
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
