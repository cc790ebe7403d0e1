import type { Redis } from 'ioredis';
import { perApp, type App } from './app.ts';
import type { MetricSource } from './metrics/metric-source.ts';
import { connectValkey } from './valkey.ts';

const checkIntervalMs = 2_000;

/**
 * Knows whether Valkey answers, by a connection of its own, and logs when that changes. A server works without Valkey:
 * each process counts requests by itself, and notices later what happened in others.
 */
class ValkeyWatch {
  readonly #app: App;
  #connection: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAvailable: boolean | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  /** Undefined if the settings name no Valkey, or before `start`. */
  get isAvailable(): boolean | undefined {
    return this.#isAvailable;
  }

  /** Starts to watch. No-op if the settings name no Valkey. Returns a function that stops it. */
  start(): () => void {
    const { VALKEY_URL: url } = this.#app.config;
    if (url === undefined) return () => {};
    const connection = connectValkey(url, { queueOffline: false });
    this.#connection = connection;
    connection.on('ready', () => this.#report(true));
    connection.on('close', () => this.#report(false));
    // A connection on which packets are lost is not closed.
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
      await connection.ping();
      this.#report(true);
    } catch {
      this.#report(false);
    }
  }

  #report(isAvailable: boolean): void {
    if (this.#connection === undefined || this.#isAvailable === isAvailable) return;
    const wasAvailable = this.#isAvailable;
    this.#isAvailable = isAvailable;
    const { log } = this.#app;
    if (!isAvailable)
      log.error('Valkey does not answer: each process counts requests by itself, and sees changes of others later');
    else if (wasAvailable === false) log.info('Valkey answers again');
  }
}

/** Knows whether Valkey answers. */
export const valkeyWatch = perApp((app) => new ValkeyWatch(app));

export const availableServices: MetricSource = {
  name: 'fieldfare_service_available',
  help: 'Whether a service that the settings name answers this process: 1 or 0',
  kind: 'gauge',
  labels: ['service'],
  collect: (app) => {
    const { isAvailable } = valkeyWatch(app);
    return isAvailable === undefined ? [] : [{ labels: { service: 'valkey' }, value: isAvailable ? 1 : 0 }];
  },
};
