import type { Redis } from 'ioredis';
import { perApp, type App } from './app.ts';
import { toError } from './errors.ts';
import type { MetricSource } from './metrics/metric-source.ts';
import { connectValkey, writeToValkey } from './valkey.ts';

const checkIntervalMs = 2_000;

const isSilent = 'Valkey does not answer';
/** It is full, has become a replica, or cannot store to its disk. */
const takesNoWrites = 'Valkey takes no writes';

/**
 * Knows whether Valkey can be used, by a connection of its own, and logs when that changes. A server works without Valkey:
 * each process counts requests by itself, and notices later what happened in others.
 */
class ValkeyWatch {
  readonly #app: App;
  #connection: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  /** Whether it was looked at. */
  #isKnown = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** What is wrong with Valkey, in English; undefined: nothing, or the settings name none. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Undefined if the settings name no Valkey, or before `start`. */
  get isAvailable(): boolean | undefined {
    return this.#isKnown ? this.#problem === undefined : undefined;
  }

  /** Starts to watch. No-op if the settings name no Valkey. Returns a function that stops it. */
  start(): () => void {
    const { VALKEY_URL: url, domain } = this.#app.config;
    if (url === undefined) return () => {};
    const connection = connectValkey(url, { queueOffline: false, prefix: `fieldfare:${domain}:` });
    this.#connection = connection;
    let reason: string | undefined;
    connection.on('error', ({ message }) => (reason = message));
    connection.on('ready', () => void this.#check(connection));
    connection.on('close', () => this.#report(this.#problem ?? isSilent, reason));
    // A connection on which packets are lost is not closed at once.
    this.#timer = setInterval(() => void this.#check(connection), checkIntervalMs).unref();
    return () => this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.disconnect();
  }

  async #check(connection: Redis): Promise<void> {
    try {
      await writeToValkey(connection);
      this.#report(undefined);
    } catch (error) {
      const { name, message } = toError(error);
      this.#report(name === 'ReplyError' ? takesNoWrites : isSilent, message);
    }
  }

  #report(problem: string | undefined, reason?: string): void {
    if (this.#connection === undefined) return;
    const wasAvailable = this.isAvailable;
    this.#isKnown = true;
    this.#problem = problem;
    const { log } = this.#app;
    const consequence = 'each process counts requests by itself, and sees changes of others later';
    if (problem !== undefined && wasAvailable !== false)
      log.error({ ...(reason !== undefined && { reason }) }, `${problem}: ${consequence}`);
    if (problem === undefined && wasAvailable === false) log.info('Valkey answers again');
  }
}

/** Knows whether Valkey can be used. */
export const valkeyWatch = perApp((app) => new ValkeyWatch(app));

export const availableServices: MetricSource = {
  name: 'fieldfare_service_available',
  help: 'Whether this process can use a service that the settings name: 1 or 0',
  kind: 'gauge',
  labels: ['service'],
  collect: (app) => {
    const { isAvailable } = valkeyWatch(app);
    return isAvailable === undefined ? [] : [{ labels: { service: 'valkey' }, value: isAvailable ? 1 : 0 }];
  },
};
