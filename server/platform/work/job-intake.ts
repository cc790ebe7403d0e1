import { sql } from 'kysely';
import { perApp, type App } from '../app.ts';
import { writeStatement } from '../write/write-statement.ts';
import type { JobId } from '../ids.ts';
import type { Room } from './accepted-items.ts';
import type { ClaimedRow } from './claimed-row.ts';
import type { Intake } from './intakes.ts';
import { leaseHolder } from './lease-holder.ts';

const blockSize = 500;
/**
 * Shorter than the lease of a claim: it must expire soon if the connection broke at the commit, so that this process does
 * not know that the rows are stored. Leases of running work are renewed.
 */
const leaseSeconds = 120;

/**
 * Ids for rows that this process runs itself. They are reserved in blocks, because the statement that stores the rows
 * returns nothing.
 */
class RowIds {
  readonly #app: App;
  readonly #ids: JobId[] = [];
  #isLoading = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Returns undefined if there are too few. */
  take(count: number): JobId[] | undefined {
    return this.#ids.length < count ? undefined : this.#ids.splice(0, count);
  }

  /** Reserves the next block in the background when half of this one is used. Rows without an id are claimed. */
  async refill(): Promise<void> {
    if (this.#isLoading || this.#ids.length > blockSize / 2) return;
    this.#isLoading = true;
    try {
      const { rows } = await writeStatement(
        this.#app,
        sql<{ id: JobId }>`select nextval('jobs_id_seq') as id from generate_series(1, ${blockSize}::int)`,
      );
      this.#ids.push(...rows.map(({ id }) => id));
    } catch (error) {
      this.#app.log.debug({ err: error }, 'could not reserve ids of jobs');
    }
    this.#isLoading = false;
  }
}

const rowIds = perApp((app) => new RowIds(app));

/** Creates the intake of a worker that has this room. */
export function createIntake(app: App, room: Room<ClaimedRow>): Intake {
  const ids = rowIds(app);
  void ids.refill();
  return {
    reserve(count) {
      if (!room.reserve(count)) return undefined;
      const reserved = ids.take(count);
      if (reserved === undefined) {
        room.cancel(count);
        return undefined;
      }
      return {
        ids: reserved,
        holder: leaseHolder(app).id,
        leasedUntil: new Date(app.clock.now().getTime() + leaseSeconds * 1000),
        start(rows) {
          room.start(rows);
          void ids.refill();
        },
        cancel: () => room.cancel(count),
      };
    },
  };
}
