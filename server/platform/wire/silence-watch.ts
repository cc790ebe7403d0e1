import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { silentConnection } from './database-unavailable.ts';
import { PrimaryClient, type ClientConfig } from './primary-client.ts';

export interface SilenceTimeouts {
  /** Time without an answer to a statement after which its connection is suspected. */
  readonly suspicionMs: number;
  /** For the probe to connect, and for its answer. */
  readonly probeMs: number;
  /** Time without an answer after which a connection is closed in any case. */
  readonly responseMs: number;
}

/** A connection that `SilenceWatch` looks at. */
export interface WatchedConnection {
  /** Its `application_name`, which no other connection has. */
  readonly applicationName: string;
  /** Whether a statement was sent that is not answered. */
  readonly isWaiting: boolean;
  /** Bytes that were received and sent so far. */
  readonly transferredBytes: number;
  readonly host: string;
  readonly port: number;
  /** Closes it, because its peer does not answer. `reason`: the message of the error that its statements throw. */
  closeBroken(reason: string): void;
}

/** Since when a connection waits without a byte in either direction. */
interface Wait {
  readonly bytes: number;
  readonly sinceMs: number;
}

const checksPerSuspicion = 4;

/**
 * How a silent connection is checked. `sessions`: by asking PostgreSQL for the state of its session. `primary`: not so, because
 * a pooler hides sessions. If the address has several servers, all are asked first whether another one is the primary now.
 */
export type Probes = 'sessions' | 'primary' | 'nothing';

/** The message that pg uses for the same. */
const lateResponse = 'Query read timeout';

/**
 * Names of those connections that wait for nothing: their session ended, has answered, or cannot reach its client. What
 * runs, or waits for a lock, is only slow. A pooler that hides the names of connections hides that of the probe, too.
 */
const findSilent = `
  select asked.name from unnest($1::text[]) asked(name)
    left join pg_stat_activity session on session.application_name = asked.name
  where exists (select from pg_stat_activity where application_name = $2)
    and (session.pid is null or session.state like 'idle%'
      or session.state = 'active' and session.wait_event_type = 'Client')`;

/**
 * Closes connections on which packets are lost, long before TCP notices. A statement without an answer is only a
 * suspicion. Another connection then asks PostgreSQL whether the session is still working on it. If no other connection
 * can be opened, nothing is closed before `responseMs`.
 */
export class SilenceWatch {
  readonly #config: ClientConfig;
  readonly #timeouts: SilenceTimeouts;
  readonly #connections: ReadonlySet<WatchedConnection>;
  readonly #probes: Probes;
  readonly #waits = new Map<WatchedConnection, Wait>();
  readonly #timer: NodeJS.Timeout;
  #isProbing = false;

  /** `config`: how connections are opened. */
  constructor(
    config: ClientConfig,
    timeouts: SilenceTimeouts,
    { connections, probes }: { readonly connections: ReadonlySet<WatchedConnection>; readonly probes: Probes },
  ) {
    this.#config = config;
    this.#timeouts = timeouts;
    this.#connections = connections;
    this.#probes = probes;
    const shortestMs = Math.min(timeouts.suspicionMs, timeouts.responseMs);
    this.#timer = setInterval(() => void this.#check(), shortestMs / checksPerSuspicion).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    this.#updateWaits();
    this.#closeLate();
    if (this.#isProbing || this.#probes === 'nothing') return;
    // A primary says at once that it is one; a session may have much to do.
    const { suspicionMs } = this.#timeouts;
    const suspects = this.#listWaits(this.#config.servers === undefined ? suspicionMs : suspicionMs / 2);
    if (suspects.length === 0) return;
    this.#isProbing = true;
    try {
      const silent = await this.#probe(suspects.map(([connection]) => connection));
      // An answer that is on its way has time to arrive.
      await pause(this.#timeouts.suspicionMs / checksPerSuspicion, undefined, { ref: false });
      this.#updateWaits();
      for (const [connection, wait] of suspects)
        if (silent.has(connection) && this.#waits.get(connection) === wait) connection.closeBroken(silentConnection);
    } catch {
      // The next check probes again.
    } finally {
      this.#isProbing = false;
    }
  }

  #closeLate(): void {
    for (const [connection] of this.#listWaits(this.#timeouts.responseMs)) connection.closeBroken(lateResponse);
  }

  /** Returns the connections that wait for so long or longer. */
  #listWaits(minMs: number): readonly (readonly [WatchedConnection, Wait])[] {
    const latest = performance.now() - minMs;
    return [...this.#waits].filter(([, { sinceMs }]) => sinceMs <= latest);
  }

  #updateWaits(): void {
    const waiting = [...this.#connections].filter(({ isWaiting }) => isWaiting);
    const unchanged = new Map(
      waiting.map((connection) => {
        const bytes = connection.transferredBytes;
        const wait = this.#waits.get(connection);
        return [connection, wait?.bytes === bytes ? wait : { bytes, sinceMs: performance.now() }] as const;
      }),
    );
    this.#waits.clear();
    for (const [connection, wait] of unchanged) this.#waits.set(connection, wait);
  }

  /** Returns which of these connections will have no answer. Throws if PostgreSQL cannot be asked. */
  async #probe(suspects: readonly WatchedConnection[]): Promise<ReadonlySet<WatchedConnection>> {
    const misled = await this.#findMisled(suspects);
    if (this.#probes === 'primary' || misled.size > 0) return misled;
    const late = this.#listWaits(this.#timeouts.suspicionMs).map(([connection]) => connection);
    if (late.length === 0) return misled;
    const names = await this.#findSilent(late.map(({ applicationName }) => applicationName));
    return new Set(late.filter(({ applicationName }) => names.has(applicationName)));
  }

  /** Returns which of these connections lead to another server than the primary. */
  async #findMisled(suspects: readonly WatchedConnection[]): Promise<ReadonlySet<WatchedConnection>> {
    const { servers, ...config } = this.#config;
    if (servers === undefined) return new Set();
    // One that fell silent ended no connection: others are asked without being told to.
    servers.forget();
    const primary = await servers.find(config);
    return new Set(suspects.filter(({ host, port }) => host !== primary.host || port !== primary.port));
  }

  /** Returns which of these sessions work on no statement. */
  async #findSilent(names: readonly string[]): Promise<ReadonlySet<string>> {
    const { probeMs } = this.#timeouts;
    const client = new PrimaryClient({ ...this.#config, connectionTimeoutMillis: probeMs, query_timeout: probeMs });
    const probeName = `fieldfare probe ${crypto.randomUUID()}`.slice(0, 60);
    setApplicationName(client, probeName);
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ name: string }>(findSilent, [[...names], probeName]);
      return new Set(rows.map(({ name }) => name));
    } finally {
      void client.end().catch(() => {});
    }
  }
}

/** Sets the name of a connection in pg_stat_activity before it is opened; an address may name another. */
export function setApplicationName(client: pg.Client, name: string): void {
  const { connectionParameters } = client as unknown as { readonly connectionParameters: { application_name: string } };
  connectionParameters.application_name = name;
}
