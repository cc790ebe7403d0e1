import { sql } from 'kysely';
import { perApp, type App } from '../app.ts';
import { writeStatement } from '../write/write-statement.ts';
import type { JobId } from '../ids.ts';

const blockSize = 500;
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

export const rowIds = perApp((app) => new RowIds(app));
