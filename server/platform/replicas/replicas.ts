import type pg from 'pg';
import type { Logger } from 'pino';
import type { Connection } from '../wire/pool.ts';
import { Replica, type Sample } from './replica.ts';
import { WriteMoments } from './write-moments.ts';

export interface ReplicasOptions {
  readonly connections: readonly Connection[];
  /** Of the primary. */
  readonly pool: pg.Pool;
  /** Maximum number of connections to each replica. */
  readonly poolSize: number;
  /** Whether poolers are in between (see `openPool`). */
  readonly isPooled: boolean;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly maxLagMs?: number;
}

/** A replica that is further behind is not used, in milliseconds. */
export const defaultMaxLagMs = 10_000;

/** PostgreSQL's log has pages of this size, in bytes, each with a header, which is longer at the start of a segment. */
const pageBytes = 8_192n;
const pageHeaderBytes = 24n;
const segmentHeaderBytes = 40n;

/** The replicas of DATABASE_REPLICA_URLS (docs/decisions/0176). */
export class Replicas {
  readonly all: readonly Replica[];
  readonly writes: WriteMoments;
  /** Replicas that are complete up to an earlier moment than so long ago are not used. */
  readonly horizonMs: number;
  #next = 0;

  constructor({ connections, pool, maxLagMs = defaultMaxLagMs, ...options }: ReplicasOptions) {
    this.horizonMs = maxLagMs + 2_000;
    this.writes = new WriteMoments(this.horizonMs);
    const samplePrimary = (): Promise<Sample> => takeSample(pool);
    this.all = connections.map((connection) => new Replica({ ...options, connection, maxLagMs, samplePrimary }));
  }

  /** Returns a replica that is complete up to this moment, each in its turn; undefined if there is none. */
  find(moment: number): Replica | undefined {
    for (let tried = 0; tried < this.all.length; tried += 1) {
      const replica = this.all[(this.#next = (this.#next + 1) % this.all.length)];
      if (replica?.has(moment) === true) return replica;
    }
    if (moment !== Infinity) for (const replica of this.all) replica.lookSoon();
    return undefined;
  }

  start(): void {
    for (const replica of this.all) replica.start();
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.close()));
  }
}

/** Returns the position that the primary has reached at a moment before: it includes all earlier commits. */
async function takeSample(pool: pg.Pool): Promise<Sample> {
  const moment = performance.now();
  const { rows } = await pool.query<{ position: string; segment: string }>(
    `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position,
      pg_size_bytes(current_setting('wal_segment_size'))::text as segment`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the primary has no position');
  const position = BigInt(row.position);
  // At the end of a page PostgreSQL reports the place after the next header, which a replica reaches with the next record.
  if (position % BigInt(row.segment) === segmentHeaderBytes) return { moment, position: position - segmentHeaderBytes };
  return { moment, position: position % pageBytes === pageHeaderBytes ? position - pageHeaderBytes : position };
}
