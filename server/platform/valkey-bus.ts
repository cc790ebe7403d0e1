import { LocalBus } from './bus.ts';
import type { Config } from './config.ts';
import { connectValkey } from './valkey.ts';

/** What the bus needs of a connection that speaks. */
export interface Speaker {
  publish(channel: string, text: string): Promise<unknown>;
  disconnect(): void;
}

/** What the bus needs of a connection that listens; a listening connection can do nothing else. */
export interface Listener {
  subscribe(channel: string): Promise<unknown>;
  on(event: 'message', receive: (channel: string, text: string) => void): unknown;
  disconnect(): void;
}

/**
 * A bus over Valkey's publish and subscribe. Local subscribers hear at once; the process skips its own echo. What is
 * said while Valkey is away reaches this process only.
 */
export class ValkeyBus extends LocalBus {
  readonly #speaker: Speaker;
  readonly #listener: Listener;
  readonly #channel: string;
  readonly #sender = crypto.randomUUID();
  readonly #onError: (error: unknown) => void;

  constructor(parts: { speaker: Speaker; listener: Listener; channel: string; onError: (error: unknown) => void }) {
    super();
    this.#speaker = parts.speaker;
    this.#listener = parts.listener;
    this.#channel = parts.channel;
    this.#onError = parts.onError;
  }

  /** Begins to hear what other processes say. */
  async start(): Promise<void> {
    this.#listener.on('message', (_channel, text) => this.#receive(text));
    await this.#listener.subscribe(this.#channel);
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    this.#speaker.publish(this.#channel, JSON.stringify([this.#sender, channel, message])).catch(this.#onError);
  }

  override async close(): Promise<void> {
    this.#speaker.disconnect();
    this.#listener.disconnect();
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
  const listener = connectValkey(url);
  const bus = new ValkeyBus({
    speaker: connectValkey(url),
    listener,
    channel: `fieldfare:${config.domain}`,
    onError,
  });
  try {
    await bus.start();
    listener.on('ready', () => bus.reportGap());
  } catch (error) {
    await bus.close();
    throw error;
  }
  return bus;
}
