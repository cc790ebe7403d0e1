import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { maxWaitingBytes, StreamConnection, type EndReason, type StreamUser } from './connection.ts';
import { encodeTextFrame, type StreamEvent } from './stream-event.ts';

/** Close codes (RFC 6455, section 7.4). */
const closeCodes = { stopping: 1001, revoked: 1008, changed: 1012 } as const;
const unsupportedData = 1003;

/** A WebSocket that may hold several streams. */
export class WebSocketConnection extends StreamConnection {
  override readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #transport: Duplex;
  /** What the client asked for. */
  #requests = Promise.resolve();
  #waitingRequests = 0;
  #isAlive = true;
  #isEnding = false;

  /** `transport`: the connection under the WebSocket. */
  constructor(user: StreamUser, socket: WebSocket, transport: Duplex) {
    super(user);
    this.#socket = socket;
    this.#transport = transport;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.on('close', () => resolve());
    socket.on('pong', () => (this.#isAlive = true));
    // A broken frame or connection. The WebSocket closes itself.
    socket.on('error', () => {});
  }

  /** Calls `receive` for each text message, one after the other. Closes the connection at a binary one. */
  receiveTexts(receive: (text: string) => Promise<void>): void {
    this.#socket.on('message', (data: Buffer, isBinary) => {
      if (this.#isEnding) return;
      if (isBinary) {
        this.#socket.close(unsupportedData, 'Binary messages are not supported');
        return;
      }
      this.inOrder(() => receive(data.toString()));
    });
  }

  /** Runs what the client asked for after earlier requests. It is not read from meanwhile. `work` must not throw. */
  inOrder(work: () => Promise<void>): void {
    this.#waitingRequests += 1;
    this.#socket.pause();
    this.#requests = this.#requests.then(work).then(() => {
      this.#waitingRequests -= 1;
      if (this.#waitingRequests === 0) this.#socket.resume();
    });
  }

  /**
   * Frames go directly to the connection, because the same bytes serve many. That is safe without compression: the
   * WebSocket also writes each of its frames whole.
   */
  override send(event: StreamEvent, label: string): void {
    this.#write(event.frame(label));
  }

  /** Sends an error about a message of the client. The connection stays open. */
  sendError(error: string, status: number): void {
    this.#write(encodeTextFrame(JSON.stringify({ error, status })));
  }

  /** Answers a message `ping`. */
  sendPong(): void {
    this.#write(encodeTextFrame(JSON.stringify({ event: 'pong' })));
  }

  override heartbeat(isFull: boolean): void {
    if (!isFull) return;
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  override end(reason: EndReason): void {
    this.#isEnding = true;
    this.#socket.close(closeCodes[reason]);
  }

  #write(frame: Buffer): void {
    if (this.#isEnding || this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#transport.writableLength > maxWaitingBytes) this.#socket.terminate();
    else this.#transport.write(frame);
  }
}
