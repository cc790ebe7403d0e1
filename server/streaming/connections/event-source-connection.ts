import type { ServerResponse } from 'node:http';
import { closeSoon } from '../../platform/http/close-soon.ts';
import { maxWaitingBytes, StreamConnection, type EndReason, type StreamUser } from './connection.ts';
import { encodeChunk, type StreamEvent } from './stream-event.ts';

const greeting = ':)\n';
const beat = Buffer.from(':thump\n');
const beatChunk = encodeChunk(beat);

/** A response of server-sent events, which has one stream. */
export class EventSourceConnection extends StreamConnection {
  override readonly closed: Promise<void>;
  readonly #response: ServerResponse;

  readonly #isChunked: boolean;

  /** Takes a response whose headers were sent. `isChunked`: the headers say so. */
  constructor(user: StreamUser, response: ServerResponse, isChunked: boolean) {
    super(user);
    this.#response = response;
    this.#isChunked = isChunked;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    response.once('close', () => resolve());
    response.write(greeting);
  }

  override send(event: StreamEvent): void {
    this.#write(event.lines(), event.chunk());
  }

  override heartbeat(): void {
    this.#write(beat, beatChunk);
  }

  override end(_reason: EndReason): void {
    const { socket } = this.#response;
    this.#response.end();
    if (socket !== null) closeSoon(socket);
  }

  /**
   * Chunks go directly to the connection, because the same bytes serve many. Node would encode them for each, and write
   * all at the end of the turn, which makes a long turn of many short ones.
   */
  #write(content: Buffer, chunk: Buffer): void {
    const response = this.#response;
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > maxWaitingBytes) response.destroy();
    // A response without a connection waits for an earlier one on it.
    else if (this.#isChunked && response.socket !== null) response.socket.write(chunk);
    else response.write(content);
  }
}
