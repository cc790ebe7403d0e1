import type { StreamConnection } from './connection.ts';
import type { Topic } from './topics.ts';

/** One stream of a connection. */
export interface Subscription {
  readonly connection: StreamConnection;
  /** Identifies the stream in its connection: name and normalised parameter. */
  readonly key: string;
  /** JSON of the name and the parameter as the client sent it. */
  readonly label: string;
  readonly topics: readonly Topic[];
}
