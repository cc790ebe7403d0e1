import { CommitUnknown } from '../wire/database-unavailable.ts';
import { perApp, type App } from '../app.ts';
import type { Room } from './accepted-items.ts';

/** The lease with which a row is stored that this process runs at once. */
export interface IntakeLease {
  readonly holder: string;
  readonly leasedUntil: Date;
}

/** A worker of this process that runs what the process itself stores, without a claim. */
export interface Intake<Item> {
  readonly room: Room<Item>;
  newLease(): IntakeLease;
  /** Frees room after a transaction failed: also the leases, if it may have committed. */
  cancel(count: number, error?: unknown): void;
}

/** The process that runs what it stores. */
interface Holder {
  /** Of its leases. */
  readonly id: string;
  doubtLeases(): void;
}

/** Shorter than the lease of a claim: what runs longer than this is rare. Leases of running work are renewed. */
const leaseSeconds = 120;

/** The intakes of the workers that run in this process, by the names of the workers. */
const intakes = perApp(() => new Map<string, Intake<never>>());

/** Lets this process hand over what it stores to a worker. */
export function openIntake<Item>(app: App, worker: string, room: Room<Item>, holder: Holder): void {
  const newLease = (): IntakeLease => ({
    holder: holder.id,
    leasedUntil: new Date(app.clock.now().getTime() + leaseSeconds * 1000),
  });
  const cancel = (count: number, error?: unknown): void => {
    room.cancel(count);
    if (error instanceof CommitUnknown) holder.doubtLeases();
  };
  intakes(app).set(worker, { room, newLease, cancel });
}

/** Returns the intake of a worker, if it runs in this process. `Item`: what the worker claims. */
export const intakeOf = <Item>(app: App, worker: string): Intake<Item> | undefined => intakes(app).get(worker);
