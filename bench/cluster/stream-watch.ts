import { WebSocket } from 'ws';

/** Until an app opens a stream again that ended. */
const reopenMs = 100;

/** An app that receives the events of its user by a WebSocket, and opens it again whenever it ends. */
export class StreamWatch {
  /** When events arrived, in milliseconds since the epoch. */
  readonly events: number[] = [];
  readonly #url: string;
  readonly #token: string;
  #socket: WebSocket;
  #timer: NodeJS.Timeout | undefined;

  constructor(origin: string, token: string) {
    this.#url = `${origin.replace(/^http/u, 'ws')}/api/v1/streaming?stream=user`;
    this.#token = token;
    this.#socket = this.#open();
  }

  stop(): void {
    this.#socket.removeAllListeners('close').terminate();
    clearTimeout(this.#timer);
  }

  #open(): WebSocket {
    // The certificate of a cluster is its own.
    const headers = { authorization: `Bearer ${this.#token}` };
    return new WebSocket(this.#url, { headers, rejectUnauthorized: false, handshakeTimeout: 5_000 })
      .on('message', () => this.events.push(Date.now()))
      .on('error', () => {})
      .on('close', () => {
        this.#timer = setTimeout(() => (this.#socket = this.#open()), reopenMs);
      });
  }
}
