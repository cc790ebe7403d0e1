import { setTimeout as pause } from 'node:timers/promises';
import { gapChannel, LocalBus, maxFlushMs } from './bus.ts';
import type { Config } from '../config.ts';
import { connectValkey } from '../valkey.ts';

/** Interval of looks at both connections, and delay after a message that could not be sent. */
const checkIntervalMs = 2_000;
const retryDelayMs = 1_000;

/** The methods of a connection that the bus uses. `reconnect`: open it again. */
interface ValkeyConnection {
  disconnect(reconnect?: boolean): void;
}

/** The methods of a publishing connection that the bus uses. */
export interface ValkeyPublisher extends ValkeyConnection {
  publish(channel: string, text: string): Promise<unknown>;
  role(): Promise<unknown[]>;
}

/** The methods of a subscribed connection that the bus uses. It subscribes again whenever it was opened again. */
export interface ValkeySubscriber extends ValkeyConnection {
  subscribe(channel: string): Promise<unknown>;
  ping(): Promise<unknown>;
  on(event: 'message', receive: (channel: string, text: string) => void): unknown;
  on(event: 'ready' | 'close', run: () => void): unknown;
}

/**
 * A bus over Valkey's publish and subscribe. Local subscribers are called at once, and the process ignores its own
 * messages. While Valkey is down, messages reach only this process; once it is back, every process reports a gap.
 */
export class ValkeyBus extends LocalBus {
  readonly #publisher: ValkeyPublisher;
  readonly #subscriber: ValkeySubscriber;
  readonly #channel: string;
  readonly #sender = crypto.randomUUID();
  readonly #onError: (error: unknown) => void;
  #lastSent: Promise<unknown> = Promise.resolve();
  #isInterrupted = false;
  #checks: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: {
    publisher: ValkeyPublisher;
    subscriber: ValkeySubscriber;
    channel: string;
    onError: (error: unknown) => void;
  }) {
    super();
    this.#publisher = parts.publisher;
    this.#subscriber = parts.subscriber;
    this.#channel = parts.channel;
    this.#onError = parts.onError;
  }

  override get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Starts to listen. */
  async start(): Promise<void> {
    this.#subscriber.on('message', (_channel, text) => this.#receive(text));
    this.#subscriber.on('close', () => (this.#isInterrupted = true));
    await this.#subscriber.subscribe(this.#channel);
    this.#subscriber.on('ready', () => void this.#resume());
    this.#checks = setInterval(() => void this.#check(), checkIntervalMs).unref();
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    this.#lastSent = this.#send(channel, message);
  }

  override async flush(): Promise<void> {
    await Promise.race([this.#lastSent, pause(maxFlushMs, undefined, { ref: false })]);
  }

  override async close(): Promise<void> {
    clearInterval(this.#checks);
    clearTimeout(this.#retry);
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
    await super.close();
  }

  /** Sends a message. If that fails, the other processes are to know that they missed something. */
  async #send(channel: string, message: unknown): Promise<void> {
    try {
      await this.#publisher.publish(this.#channel, JSON.stringify([this.#sender, channel, message]));
    } catch (error) {
      this.#onError(error);
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        void this.#send(gapChannel, null);
      }, retryDelayMs).unref();
    }
  }

  /** Called when another subscribed connection is open. */
  async #resume(): Promise<void> {
    try {
      // Answered after the subscription, which was sent before.
      await this.#subscriber.ping();
    } catch {
      return this.#subscriber.disconnect(true);
    }
    this.#isInterrupted = false;
    this.reportGap();
  }

  /** Uses both connections, so that those on which packets are lost are closed (see `connectValkey`). */
  async #check(): Promise<void> {
    const [role] = await Promise.allSettled([this.#publisher.role(), this.#subscriber.ping()]);
    if (role.status === 'rejected' || role.value[0] !== 'slave') return;
    // Another server is the primary now. What is published here reaches only those who are connected to this one.
    this.#publisher.disconnect(true);
    this.#subscriber.disconnect(true);
  }

  #receive(text: string): void {
    try {
      const [sender, channel, message]: [string, string, unknown] = JSON.parse(text);
      if (sender !== this.#sender) this.deliver(channel, message);
    } catch (error) {
      // A receiver that throws, or a foreign message, must not end the process.
      this.#onError(error);
    }
  }
}

/** Connects a bus to VALKEY_URL. Throws if nothing responds there. */
export async function connectValkeyBus(config: Config, onError: (error: unknown) => void): Promise<ValkeyBus> {
  const url = config.VALKEY_URL;
  if (url === undefined) throw new Error('VALKEY_URL is not set');
  // The client resubscribes after a reconnect.
  const subscriber = connectValkey(url);
  const bus = new ValkeyBus({
    publisher: connectValkey(url),
    subscriber,
    channel: `fieldfare:${config.domain}`,
    onError,
  });
  try {
    await bus.start();
  } catch (error) {
    await bus.close();
    throw error;
  }
  return bus;
}
