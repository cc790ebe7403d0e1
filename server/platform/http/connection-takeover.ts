import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request that asked for another protocol: its connection, and the first bytes of that protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** A request whose connection is taken over, as Node has it. */
export interface RawExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of the response so far: CORS, rate limits, the id of the request. */
  readonly headers: OutgoingHttpHeaders;
  /** Undefined for a usual request. */
  readonly upgrade: Upgrade | undefined;
}

/** A response that takes over the connection, which the HTTP server no longer touches: a stream of events, a WebSocket. */
export class ConnectionTakeover {
  readonly take: (exchange: RawExchange) => void;

  constructor(take: (exchange: RawExchange) => void) {
    this.take = take;
  }
}
