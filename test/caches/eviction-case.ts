import type { DomainEvent } from '../../server/platform/write/define-event.ts';
import type { TestServer } from '../server.ts';

/** Proves that an event evicts the entries of a cache. */
export interface EvictionCase {
  /** Name of the cache. */
  readonly cache: string;
  /** Name of the event, as in `evictOn`. */
  readonly event: string;
  readonly prepare: (server: TestServer) => Promise<{
    /** Reads a value through the cache. */
    readonly read: () => Promise<unknown>;
    /** Changes the source of the value directly in the database, so that no event evicts it. */
    readonly change: () => Promise<unknown>;
    /** The event, as a use case emits it. */
    readonly emitted: DomainEvent;
  }>;
}
