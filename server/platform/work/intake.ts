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
}

/**
 * Shorter than the lease of a claim: it must expire soon if the connection broke at the commit, so that this process does
 * not know that the rows are stored. Leases of running work are renewed.
 */
const leaseSeconds = 120;

/** The intakes of the workers that run in this process, by the names of the workers. */
const intakes = perApp(() => new Map<string, Intake<never>>());

/** Lets this process hand over what it stores to a worker. `holderOf`: returns the holder of its leases. */
export function openIntake<Item>(app: App, worker: string, room: Room<Item>, holderOf: () => string): void {
  const newLease = (): IntakeLease => ({
    holder: holderOf(),
    leasedUntil: new Date(app.clock.now().getTime() + leaseSeconds * 1000),
  });
  intakes(app).set(worker, { room, newLease });
}

/** Returns the intake of a worker, if it runs in this process. `Item`: what the worker claims. */
export const intakeOf = <Item>(app: App, worker: string): Intake<Item> | undefined => intakes(app).get(worker);
