import type { RawBuilder } from 'kysely';
import type { DomainEvent } from './define-event.ts';
import type { JobRequest } from '../work/job-request.ts';
import type { TransactionDatabase } from '../database/writable-tables.ts';

/** An open transaction, with the means to emit events and to store jobs. */
export interface Transaction {
  readonly db: TransactionDatabase;
  /** Emits an event. Its reactions run if, and only if, the transaction commits. */
  readonly emit: (event: DomainEvent) => void;
  /** Stores a job in the transaction. */
  readonly enqueue: (job: JobRequest) => void;
  /**
   * Sends a statement together with the commit, so that it locks contended rows no longer than the commit takes. For
   * reactions that lock contended rows, and for what no other statement depends on. `toEvent`: what a returned row announces; such events
   * have neither stored reactions nor some before the commit.
   */
  readonly sendWithCommit: <Row>(query: RawBuilder<Row>, toEvent?: (row: Row) => DomainEvent) => void;
}
