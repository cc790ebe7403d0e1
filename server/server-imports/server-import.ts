import type pg from 'pg';
import type { App } from '../platform/app.ts';
import { connectForMaintenance } from '../platform/wire/pool.ts';
import type { PollId } from '../platform/ids.ts';
import { transaction } from '../platform/write/transaction.ts';
import { schedulePollEnd } from '../polls/index.ts';
import { storeVapidKeys } from '../site/index.ts';
import { copyFiles, type CopiedFiles } from './copy-files.ts';
import { countTables, type CountedLoss, type CountedTable } from './count-rows.ts';
import type { ImportRun } from './import-run.ts';
import { requireImportTarget } from './require-target.ts';
import type { SourceKind } from './table-import.ts';
import { runImport, type ImportResult } from './run-import.ts';
import { verifyTables, type VerifiedTable } from './verify-tables.ts';

/** What an import will do. */
export interface PlannedImport {
  readonly tables: readonly CountedTable[];
  readonly losses: readonly CountedLoss[];
}

/** What an import did. */
export interface FinishedImport extends ImportResult {
  readonly verified: readonly VerifiedTable[];
  readonly files: CopiedFiles | undefined;
}

/** Called with a step and how much of it is done, from 0 to 1. */
export type OnProgress = (step: string, share: number) => void;

/** What an import of any kind of server needs. */
export interface ServerImportParts {
  readonly run: ImportRun;
  readonly countLosses: () => Promise<readonly CountedLoss[]>;
  /** The keys of Web Push, as URL-safe base64 without padding; undefined: none. */
  readonly vapid: { readonly publicKey: string; readonly privateKey: string } | undefined;
  /** Folder with the files of the source; undefined: they are in the storage already. */
  readonly mediaFolder: string | undefined;
  /** Ends the connections. */
  readonly close: () => Promise<void>;
}

/** An import of another server into an empty instance of the same domain. The source is only read. */
export class ServerImport implements AsyncDisposable {
  readonly #app: App;
  readonly #parts: ServerImportParts;

  constructor(app: App, parts: ServerImportParts) {
    this.#app = app;
    this.#parts = parts;
  }

  /** Counts what will be taken and what will be lost. */
  async plan(onProgress: OnProgress): Promise<PlannedImport> {
    const tables = await countTables(this.#parts.run, (share) => onProgress('Counting', share));
    return { tables, losses: await this.#parts.countLosses() };
  }

  /** Imports, or takes what changed since the last import, and compares the result with the source. */
  async run({ tables }: PlannedImport, onProgress: OnProgress): Promise<FinishedImport> {
    const { run, vapid } = this.#parts;
    const result = await runImport(run, tables, onProgress);
    if (vapid !== undefined) await storeVapidKeys(this.#app, vapid);
    await this.#schedulePollEnds();
    const files = await this.#copyFiles(onProgress);
    // The source may be in use and grow meanwhile.
    const verified = await verifyTables(run, tables, (share) => onProgress('Verifying', share));
    return { ...result, verified, files };
  }

  /** Polls end by a job each. A job that exists twice has no effect. */
  async #schedulePollEnds(): Promise<void> {
    const { rows } = await this.#parts.run.target.query<{ id: PollId; expires_at: Date }>(
      `select id, expires_at from polls where ended_at is null and expires_at is not null
        and not exists (select from jobs where name = 'poll.end_poll' and data ->> 'pollId' = polls.id::text)`,
    );
    if (rows.length === 0) return;
    await transaction(this.#app, async (tx) => {
      for (const { id, expires_at } of rows) schedulePollEnd(tx, id, expires_at);
    });
  }

  async #copyFiles(onProgress: OnProgress): Promise<CopiedFiles | undefined> {
    const { mediaFolder, run } = this.#parts;
    if (mediaFolder === undefined) return undefined;
    const parts = { target: run.target, storage: this.#app.storage };
    return copyFiles(parts, mediaFolder, (table) => onProgress(`Copying files of ${table}`, 0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.close();
  }
}

/** Connects to the database of this server. Throws ServerImportError unless it may be imported into. */
export async function connectTarget(app: App, source: SourceKind): Promise<pg.Client> {
  const target = await connectForMaintenance(app.directConnection);
  try {
    await target.query(`set timezone = 'UTC'; set synchronous_commit = off`);
    await requireImportTarget(target, source);
    return target;
  } catch (error) {
    await endAll(target);
    throw error;
  }
}

/** Ends connections, also broken ones. */
export async function endAll(...clients: readonly (pg.Client | undefined)[]): Promise<void> {
  await Promise.all(clients.map(async (client) => client?.end().catch(() => {})));
}
