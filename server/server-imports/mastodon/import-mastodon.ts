import type pg from 'pg';
import type { App } from '../../platform/app.ts';
import { toError } from '../../platform/errors.ts';
import type { PollId, TokenId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { connectForMaintenance } from '../../platform/wire/pool.ts';
import { toConnection } from '../../platform/wire/primary-client.ts';
import { schedulePollEnd } from '../../polls/index.ts';
import { sealToken } from '../../push/index.ts';
import { storeVapidKeys } from '../../site/index.ts';
import { copyFiles, type CopiedFiles } from '../copy-files.ts';
import { countLosses, countTables, type CountedLoss, type CountedTable } from '../count-rows.ts';
import { describeTables } from '../describe-tables.ts';
import { prepareRun, type ImportRun } from '../import-run.ts';
import { requireImportTarget } from '../require-target.ts';
import { runImport, type ImportResult } from '../run-import.ts';
import { ServerImportError } from '../server-import-error.ts';
import { verifyTables, type VerifiedTable } from '../verify-tables.ts';
import type { MastodonEnvironment } from './environment.ts';
import { mastodonPlan } from './mastodon-plan.ts';
import { fileColumns } from './media.ts';
import { checkOtpSecrets } from './second-factors.ts';
import type { RemotePosts } from './statuses.ts';

export interface MastodonImportOptions {
  /** Address of the database of the Mastodon. */
  readonly databaseUrl: string;
  readonly environment: MastodonEnvironment;
  readonly remote: RemotePosts;
  /** Folder with its files (`public/system`); undefined: the files are in the storage already. */
  readonly mediaFolder: string | undefined;
}

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
type OnProgress = (step: string, share: number) => void;

/** The newest migration of Mastodon 4.2.0. */
const oldestVersion = '20230907150100';

/** An import of a Mastodon into an empty instance of the same domain. The source is only read. */
export class MastodonImport implements AsyncDisposable {
  readonly #app: App;
  readonly #options: MastodonImportOptions;
  readonly #run: ImportRun;

  private constructor(app: App, options: MastodonImportOptions, run: ImportRun) {
    this.#app = app;
    this.#options = options;
    this.#run = run;
  }

  /** Connects and checks both sides. Throws ServerImportError. */
  static async open(app: App, options: MastodonImportOptions): Promise<MastodonImport> {
    const { environment, databaseUrl, remote } = options;
    requireSameDomain(app, environment);
    const source = await connectSource(databaseUrl);
    let target: pg.Client | undefined;
    try {
      await requireVersion(source);
      target = await connectForMaintenance(app.directConnection);
      await target.query(`set timezone = 'UTC'; set synchronous_commit = off`);
      await requireImportTarget(target);
      const { baseUrl, domain } = app.config;
      const tables = await describeTables(source);
      const plan = mastodonPlan(tables, {
        site: { baseUrl, domain },
        remote,
        otpSecrets: await checkOtpSecrets(source, tables, environment),
        sealToken: (tokenId, token) => sealToken(app, tokenId as TokenId, token),
      });
      return new MastodonImport(app, options, await prepareRun({ source, target, plan }));
    } catch (error) {
      await source.end().catch(() => {});
      await target?.end().catch(() => {});
      throw error;
    }
  }

  /** Counts what will be taken and what will be lost. */
  async plan(onProgress: OnProgress): Promise<PlannedImport> {
    const tables = await countTables(this.#run, (share) => onProgress('Counting', share));
    return { tables, losses: await countLosses(this.#run) };
  }

  /** Imports, or takes what changed since the last import, and compares the result with the source. */
  async run({ tables }: PlannedImport, onProgress: OnProgress): Promise<FinishedImport> {
    const result = await runImport(this.#run, tables, onProgress);
    const { vapid } = this.#options.environment;
    if (vapid !== undefined) await storeVapidKeys(this.#app, vapid);
    await this.#schedulePollEnds();
    const files = await this.#copyFiles(onProgress);
    // The source may be in use and grow meanwhile.
    const verified = await verifyTables(this.#run, tables, (share) => onProgress('Verifying', share));
    return { ...result, verified, files };
  }

  /** Polls end by a job each. A job that exists twice has no effect. */
  async #schedulePollEnds(): Promise<void> {
    const { rows } = await this.#run.target.query<{ id: PollId; expires_at: Date }>(
      `select id, expires_at from polls where ended_at is null and expires_at is not null
        and not exists (select from jobs where name = 'poll.end_poll' and data ->> 'pollId' = polls.id::text)`,
    );
    if (rows.length === 0) return;
    await transaction(this.#app, async (tx) => {
      for (const { id, expires_at } of rows) schedulePollEnd(tx, id, expires_at);
    });
  }

  async #copyFiles(onProgress: OnProgress): Promise<CopiedFiles | undefined> {
    const { mediaFolder } = this.#options;
    if (mediaFolder === undefined) return undefined;
    const parts = { target: this.#run.target, storage: this.#app.storage };
    return copyFiles(parts, mediaFolder, fileColumns, (table) => onProgress(`Copying files of ${table}`, 0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [this.#run.source, this.#run.target].map((client) => (client as pg.Client).end().catch(() => {})),
    );
  }
}

function requireSameDomain({ config }: App, { localDomain, webDomain }: MastodonEnvironment): void {
  if (config.domain === localDomain && config.webDomain === webDomain) return;
  throw new ServerImportError(
    `The Mastodon is ${localDomain} at https://${webDomain}, but BASE_URL and DOMAIN make this ${config.domain} at ${config.baseUrl}. ` +
      'They must be the same, or every address would change.',
  );
}

/** Connects to the source for reading only. Throws ServerImportError. */
async function connectSource(databaseUrl: string): Promise<pg.Client> {
  if (!/^postgres(?:ql)?:\/\//.test(databaseUrl))
    throw new ServerImportError(
      '--database must be an address such as postgres://user:password@host/mastodon_production. Restore a dump into a database first: docs/migration.md.',
    );
  try {
    const client = await connectForMaintenance(toConnection(databaseUrl));
    await client.query(`set default_transaction_read_only = on; set timezone = 'UTC'; set jit = off`);
    return client;
  } catch (error) {
    throw new ServerImportError(`The database of --database cannot be reached (${toError(error).message}).`);
  }
}

async function requireVersion(source: pg.Client): Promise<void> {
  const { rows } = await source
    .query<{ version: string | null }>('select max(version) as version from schema_migrations')
    .catch(() => ({ rows: [] }));
  const version = rows[0]?.version;
  if (typeof version !== 'string') throw new ServerImportError('The database of --database is not that of a Mastodon.');
  if (version < oldestVersion)
    throw new ServerImportError('The Mastodon is older than 4.2. Update it to 4.2 or newer first.');
}
