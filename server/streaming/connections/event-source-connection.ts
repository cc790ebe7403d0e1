import type { ServerResponse } from 'node:http';
import { closeSoon } from '../../platform/http/close-soon.ts';
import { maxWaitingBytes, StreamConnection, type EndReason, type StreamUser } from './connection.ts';
import type { StreamEvent } from './stream-event.ts';

const greeting = ':)\n';
const beat = ':thump\n';

/** A response of server-sent events, which has one stream. */
export class EventSourceConnection extends StreamConnection {
  override readonly closed: Promise<void>;
  readonly #response: ServerResponse;

  /** Takes a response whose headers were sent. */
  constructor(user: StreamUser, response: ServerResponse) {
    super(user);
    this.#response = response;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    response.once('close', () => resolve());
    response.write(greeting);
  }

  override send(event: StreamEvent): void {
    this.#write(event.lines());
  }

  override heartbeat(): void {
    this.#write(beat);
  }

  override end(_reason: EndReason): void {
    const { socket } = this.#response;
    this.#response.end();
    if (socket !== null) closeSoon(socket);
  }

  #write(bytes: Buffer | string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy();
    else this.#response.write(bytes);
  }
}
