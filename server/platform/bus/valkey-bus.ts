import { setTimeout as pause } from 'node:timers/promises';
import { LocalBus, maxFlushMs } from './bus.ts';
import type { Config } from '../config.ts';
import { connectValkey } from '../valkey.ts';

/** The methods of a publishing connection that the bus uses. */
export interface ValkeyPublisher {
  publish(channel: string, text: string): Promise<unknown>;
  disconnect(): void;
}

/** The methods of a subscribed connection that the bus uses. Such a connection cannot send other commands. */
export interface ValkeySubscriber {
  subscribe(channel: string): Promise<unknown>;
  on(event: 'message', receive: (channel: string, text: string) => void): unknown;
  disconnect(): void;
}

/**
 * A bus over Valkey's publish and subscribe. Local subscribers are called at once, and the process ignores its own
 * messages. While Valkey is down, messages reach only this process.
 */
export class ValkeyBus extends LocalBus {
  readonly #publisher: ValkeyPublisher;
  readonly #subscriber: ValkeySubscriber;
  readonly #channel: string;
  readonly #sender = crypto.randomUUID();
  readonly #onError: (error: unknown) => void;
  #lastSent: Promise<unknown> = Promise.resolve();

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

  /** Starts to listen. */
  async start(): Promise<void> {
    this.#subscriber.on('message', (_channel, text) => this.#receive(text));
    await this.#subscriber.subscribe(this.#channel);
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    this.#lastSent = this.#publisher
      .publish(this.#channel, JSON.stringify([this.#sender, channel, message]))
      .catch(this.#onError);
  }

  override async flush(): Promise<void> {
    await Promise.race([this.#lastSent, pause(maxFlushMs, undefined, { ref: false })]);
  }

  override async close(): Promise<void> {
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
    await super.close();
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
    subscriber.on('ready', () => bus.reportGap());
  } catch (error) {
    await bus.close();
    throw error;
  }
  return bus;
}
