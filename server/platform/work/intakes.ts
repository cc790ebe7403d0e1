import { perApp } from '../app.ts';
import type { JobId } from '../ids.ts';
import type { ClaimedRow } from './claimed-row.ts';
import type { Queue } from './queues.ts';

/** Room in a worker of this process, with ids and a lease for the rows that an open transaction stores. */
export interface Reservation {
  readonly ids: readonly JobId[];
  readonly holder: string;
  readonly leasedUntil: Date;
  /** Runs the rows, after the commit. */
  start(rows: readonly ClaimedRow[]): void;
  /** Frees the room, after a rollback. */
  cancel(): void;
}

/** Accepts rows from the transactions that store them, so that the worker need not claim them. */
export interface Intake {
  /** Returns undefined if there is too little room. */
  reserve(rows: number): Reservation | undefined;
}

/** The intakes of the workers that run in this process. */
export const intakes = perApp(() => new Map<Queue, Intake>());
