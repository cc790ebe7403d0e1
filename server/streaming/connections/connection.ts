import type { Caller, CurrentUser } from '../../platform/http/routes.ts';
import type { StreamEvent } from './stream-event.ts';
import type { Subscription } from './subscription.ts';

/** The caller of a stream, which is always a user. */
export interface StreamUser extends Omit<Caller, 'viewer'> {
  readonly viewer: CurrentUser;
  readonly ip: string;
}

/** Bytes that may wait for a reader. Kernels hold some megabytes beside them. */
export const maxWaitingBytes = 1_048_576;

/** Why the server ends a connection. `changed`: its streams have other posts now, and the client may connect again. */
export type EndReason = 'changed' | 'revoked' | 'stopping';

/** An open connection of a client: a WebSocket or server-sent events. */
export abstract class StreamConnection {
  readonly user: StreamUser;
  /** The streams that it receives; most have one. */
  readonly subscriptions: Subscription[] = [];
  /** The second of each half minute in which the connection is checked. */
  slot = 0;

  constructor(user: StreamUser) {
    this.user = user;
  }

  /** Sends an event of the stream with this label, unless the connection is closing. Closes one that reads too slowly. */
  abstract send(event: StreamEvent, label: string): void;

  /** Checks every 15 seconds that the client is there. `isFull`: half of the calls, 30 seconds apart. */
  abstract heartbeat(isFull: boolean): void;

  /** Ends the connection. It receives nothing more. */
  abstract end(reason: EndReason): void;

  /** Resolves when the connection is closed. */
  abstract readonly closed: Promise<void>;
}
