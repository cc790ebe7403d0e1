import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { perApp, type App } from '../app.ts';
import { toDatabaseUnavailable } from '../wire/database-unavailable.ts';
import { PrimaryClient } from '../wire/primary-client.ts';
import { maintenanceSettings, withSettings, type SessionSettings } from '../wire/session-settings.ts';
import { transaction } from '../write/transaction.ts';
import { currentMachine, currentProcessIdentity, isProcessRunning } from '../process-identity.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { version } from '../version.ts';
import { assertMayRegister, knownContracts, OutdatedVersionError } from '../database/contract.ts';
import { deadAfterSeconds, isLateText, isLockedText, processLockClass } from './process-liveness.ts';
import type { Worker } from './worker-loop.ts';

const heartbeatMs = 1_000;
/** Time that processes have to reconnect after an outage of the database before any counts as dead. */
const reapGraceMs = 10_000;
const queryTimeoutMs = 5_000;

const leaseSettings: SessionSettings = {
  ...maintenanceSettings,
  statement_timeout: '15000',
  lock_timeout: '15000',
  // A heartbeat need not survive a crash of PostgreSQL.
  synchronous_commit: 'off',
  // The lock of a vanished machine must not last for hours.
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
};

const machine = currentMachine();

/** A holder of leases that may be dead. */
interface Suspect {
  readonly id: string;
  readonly machine: string | null;
  readonly process_id: number | null;
  readonly process_started: string | null;
  /** Had no heartbeat for too long. */
  readonly isLate: boolean;
}

/** Whether the process of a holder ran on this machine and has ended. */
const hasEnded = ({ machine: other, process_id: pid, process_started: started }: Suspect): boolean =>
  other !== null && other === machine && pid !== null && started !== null && !isProcessRunning({ pid, started });

/**
 * This process as a holder of leases. A dedicated connection holds an advisory lock while the process runs, however
 * busy its event loop is. The heartbeat covers moments without a connection. It has an id of its own because process
 * ids are reused (docs/decisions/0031, 0139).
 */
export class LeaseHolder {
  readonly #app: App;
  readonly #outdated = Promise.withResolvers<string>();
  #id = randomUUID();
  #workers: readonly Worker[] = [];
  #queues: readonly string[] | undefined;
  #client: pg.Client | undefined;
  #heartbeat: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isRegistered = false;
  #isLocked = false;
  #isBeating = false;
  #lastBeatAt = performance.now();
  #wasConnected = false;
  #reapNotBefore = 0;
  #isStopped = false;
  #doubtsLeases = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** The value of `lease_holder` in claims. Changes if other processes had to assume that this one was dead. */
  get id(): string {
    return this.#id;
  }

  /** Resolves with a message if a newer version removed from the database what this one needs. */
  get outdated(): Promise<string> {
    return this.#outdated.promise;
  }

  /**
   * Registers the process and frees the leases of dead ones. Claims made before would not be freed after a crash.
   * `workers`: all that a dead process may have run. `queues`: those that this one runs; default: all. May be called again.
   */
  async start(workers: readonly Worker[], queues?: readonly string[]): Promise<void> {
    this.#workers = workers;
    this.#queues = queues;
    await this.#sendHeartbeat();
  }

  /**
   * Called when rows may have been leased of which this process does not know, because the answer was lost. It then frees
   * all of its leases, and goes on as a new holder: work that is in progress may run again.
   */
  doubtLeases(): void {
    this.#doubtsLeases = true;
  }

  /** Frees all leases of this process and closes its connection. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#heartbeat;
    const client = this.#client;
    this.#client = undefined;
    try {
      if (client !== undefined) await this.#releaseLeases(sql<boolean>`holder.id = ${this.#id}::uuid`);
    } catch (error) {
      this.#app.log.warn({ err: error }, 'could not free the leases; another process will');
    }
    await client?.end().catch(() => {});
  }

  /** Never rejects: without the database there is nothing to claim. */
  #sendHeartbeat(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isBeating = true;
    this.#heartbeat = this.#heartbeatOnce()
      .catch((error: unknown) => {
        this.#disconnect();
        if (error instanceof OutdatedVersionError) this.#outdated.resolve(error.message);
        // Others may have taken over by now. What is in progress goes on; its results count only under a valid lease.
        if (performance.now() - this.#lastBeatAt > deadAfterSeconds * 1000) this.#releaseUnstarted();
        if (reportTemporaryFailure(this.#app, toDatabaseUnavailable(error))) return;
        this.#app.log.warn({ err: error }, 'could not renew the leases of this process; retrying');
      })
      .then(() => {
        this.#isBeating = false;
        if (!this.#isStopped) this.#timer = setTimeout(() => void this.#sendHeartbeat(), heartbeatMs);
      });
    return this.#heartbeat;
  }

  async #heartbeatOnce(): Promise<void> {
    this.#client ??= await this.#connect();
    if (this.#doubtsLeases) {
      await this.#releaseLeases(sql<boolean>`holder.id = ${this.#id}::uuid`);
      this.#doubtsLeases = false;
      this.#app.wakeWorkers(this.#workers.map(({ name }) => name));
    }
    const { rowCount } = await this.#client.query('update lease_holders set beat_at = now() where id = $1', [this.#id]);
    if (rowCount === 0) await this.#register(this.#client);
    else if (!this.#isLocked) {
      await assertMayRegister(this.#client, knownContracts());
      await this.#lock(this.#client);
    }
    this.#lastBeatAt = performance.now();
    await this.#reap(this.#client);
  }

  /** Frees the leases of processes that ended. After an outage, those on other machines have time to reconnect. */
  async #reap(client: pg.Client): Promise<void> {
    const { rows } = await client.query<Suspect>(
      `select id, machine, process_id, process_started, beat_at < now() - make_interval(secs => $2) as "isLate"
        from lease_holders where id <> $1`,
      [this.#id, deadAfterSeconds],
    );
    const mayReapLate = performance.now() >= this.#reapNotBefore;
    const suspects = rows.filter((row) => (row.isLate && mayReapLate) || hasEnded(row));
    if (suspects.length === 0) return;
    const freed = await this.#releaseLeases(sql<boolean>`holder.id = any(${suspects.map(({ id }) => id)}::uuid[])
      and (holder.id = any(${suspects.filter(hasEnded).map(({ id }) => id)}::uuid[]) or ${isLate}) and not ${isLocked}`);
    if (freed === 0) return;
    this.#app.log.info('a process died; its work continues in others');
    this.#app.wakeWorkers(this.#workers.map(({ name }) => name));
  }

  #releaseUnstarted(): void {
    for (const worker of this.#workers) worker.releaseUnstarted(this.#app);
  }

  async #connect(): Promise<pg.Client> {
    const client = new PrimaryClient({
      ...withSettings(this.#app.directConnection, leaseSettings),
      application_name: 'fieldfare leases',
      connectionTimeoutMillis: queryTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.#client !== client) return;
      this.#disconnect();
      if (!this.#isStopped && !this.#isBeating) void this.#sendHeartbeat();
    });
    await client.connect();
    this.#isLocked = false;
    this.#reapNotBefore = this.#wasConnected ? performance.now() + reapGraceMs : 0;
    this.#wasConnected = true;
    return client;
  }

  /** Takes the lock again after a reconnect. Fails while PostgreSQL has not noticed that the old connection ended. */
  async #lock(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1, lock_key) as locked from lease_holders where id = $2',
      [processLockClass, this.#id],
    );
    this.#isLocked = rows[0]?.locked === true;
  }

  /** Stores a new id. Its row becomes visible once the lock is held. */
  async #register(client: pg.Client): Promise<void> {
    const id = randomUUID();
    const { pid, started } = currentProcessIdentity();
    if (this.#isRegistered) this.#releaseUnstarted();
    await client.query('begin');
    await assertMayRegister(client, knownContracts());
    await client.query(
      `insert into lease_holders (id, machine, process_id, process_started, queues, version, contracts)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, machine ?? null, pid, started, this.#queues ?? null, version, [...knownContracts()]],
    );
    await client.query('select pg_advisory_lock($1, lock_key) from lease_holders where id = $2', [
      processLockClass,
      id,
    ]);
    await client.query('commit');
    this.#id = id;
    this.#isRegistered = true;
    this.#isLocked = true;
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => {});
  }

  /**
   * Deletes the holders with their leases, so that a process that returns sees that it lost them. Returns the number of
   * holders.
   */
  #releaseLeases(condition: RawBuilder<boolean>): Promise<number> {
    return transaction(this.#app, async ({ db }) => {
      const { rows } = await sql<{
        id: string;
      }>`delete from lease_holders holder where ${condition} returning id`.execute(db);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) for (const worker of this.#workers) await worker.releaseLeases(db, ids);
      return ids.length;
    });
  }
}

/** Whether a holder had no heartbeat for too long. */
export const isLate = sql<boolean>`${sql.raw(isLateText)}`;

/** Whether the process of a holder is connected. */
export const isLocked = sql<boolean>`${sql.raw(isLockedText)}`;

/** The lease holder of this process. */
export const leaseHolder = perApp((app) => new LeaseHolder(app));
