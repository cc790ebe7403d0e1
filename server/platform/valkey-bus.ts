import { LocalBus } from './bus.ts';
import type { Config } from './config.ts';
import { connectValkey } from './valkey.ts';

/** What the bus needs of a connection that speaks. */
export interface ValkeyPublisher {
  publish(channel: string, text: string): Promise<unknown>;
  disconnect(): void;
}

/** What the bus needs of a connection that listens; a listening connection can do nothing else. */
export interface ValkeySubscriber {
  subscribe(channel: string): Promise<unknown>;
  on(event: 'message', receive: (channel: string, text: string) => void): unknown;
  disconnect(): void;
}

/**
 * A bus over Valkey's publish and subscribe. Local subscribers hear at once; the process skips its own echo. What is
 * said while Valkey is away reaches this process only.
 */
export class ValkeyBus extends LocalBus {
  readonly #publisher: ValkeyPublisher;
  readonly #subscriber: ValkeySubscriber;
  readonly #channel: string;
  readonly #sender = crypto.randomUUID();
  readonly #onError: (error: unknown) => void;

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

  /** Begins to hear what other processes say. */
  async start(): Promise<void> {
    this.#subscriber.on('message', (_channel, text) => this.#receive(text));
    await this.#subscriber.subscribe(this.#channel);
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    this.#publisher.publish(this.#channel, JSON.stringify([this.#sender, channel, message])).catch(this.#onError);
  }

  override async close(): Promise<void> {
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
    await super.close();
  }

  #receive(text: string): void {
    try {
      const [sender, channel, message] = JSON.parse(text) as [string, string, unknown];
      if (sender !== this.#sender) this.deliver(channel, message);
    } catch (error) {
      // A receiver that throws, or a stranger on the channel, must not end the process.
      this.#onError(error);
    }
  }
}

/** Connects a bus to VALKEY_URL; throws when nothing answers there. */
export async function connectValkeyBus(config: Config, onError: (error: unknown) => void): Promise<ValkeyBus> {
  const url = config.VALKEY_URL;
  if (url === undefined) throw new Error('VALKEY_URL is not set');
  // Resubscribes by itself after a reconnect.
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
