import type pg from 'pg';
import type { App } from '../../platform/app.ts';
import { isId } from '../../platform/ids.ts';
import { connectForMaintenance } from '../../platform/wire/pool.ts';
import { sealToken } from '../../push/index.ts';
import { isDatabaseUrl } from '../connect-source.ts';
import { prepareRun } from '../import-run.ts';
import { loadSteps } from '../import-steps.ts';
import { onlyIssuer } from '../only-issuer.ts';
import { connectTarget, endAll, ServerImport, type OnProgress } from '../server-import.ts';
import { ServerImportError } from '../server-import-error.ts';
import type { RemotePosts } from '../table-import.ts';
import { copySchema, copySource } from './copy-source.ts';
import { gotosocialPlan } from './gotosocial-plan.ts';
import type { GotosocialSource } from './gotosocial-source.ts';
import { countLosses } from './not-taken.ts';
import { openPostgres } from './postgres-source.ts';
import { openSqlite } from './sqlite-source.ts';

export interface GotosocialImportOptions {
  /** Address of the PostgreSQL of the GoToSocial, or path of its file of SQLite. */
  readonly database: string;
  readonly remote: RemotePosts;
  /** Folder with its files (`storage-local-base-path`); undefined: the files are in the storage already. */
  readonly mediaFolder: string | undefined;
}

/**
 * Opens the import of a GoToSocial: checks both sides, and copies the tables of the source into a schema of our database, where
 * ULIDs get their ids. The copy is removed at the end unless rows were imported from it. Throws ServerImportError.
 */
export async function openGotosocialImport(
  app: App,
  { database, remote, mediaFolder }: GotosocialImportOptions,
  onProgress: OnProgress,
): Promise<ServerImport> {
  await using source = await (isDatabaseUrl(database) ? openPostgres(database) : openSqlite(database));
  requireVersion(source);
  const target = await connectTarget(app, 'gotosocial');
  let copy: pg.Client | undefined;
  const close = async (): Promise<void> => {
    await removeUnusedCopy(target);
    await endAll(copy, target);
  };
  try {
    const { baseUrl, webDomain, domain } = app.config;
    await requireOwnCopy(target);
    await copySource(source, target, `${baseUrl}/users/${webDomain}`, onProgress);
    await requireSameDomain(app, target);
    copy = await connectForMaintenance(app.directConnection);
    await copy.query(
      `set search_path = ${copySchema}; set default_transaction_read_only = on; set timezone = 'UTC'; set jit = off`,
    );
    const plan = gotosocialPlan({
      site: { baseUrl, webDomain, domain },
      remote,
      issuer: onlyIssuer(app.config),
      sealToken: async (tokenId, token) => (isId(tokenId) ? sealToken(app, tokenId, token) : undefined),
    });
    const run = await prepareRun({ source: copy, target, plan });
    const losses = await countLosses(source);
    return new ServerImport(app, {
      run,
      countLosses: async () => losses,
      vapid: await findVapidKeys(copy),
      mediaFolder,
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function requireVersion({ tables }: GotosocialSource): void {
  if (tables.get('accounts')?.has('public_key_uri') !== true)
    throw new ServerImportError('The database of --database is not that of a GoToSocial.');
  if (!tables.has('interaction_requests'))
    throw new ServerImportError('The GoToSocial is older than 0.17. Update it to 0.17 or newer first.');
}

/** The name of the instance actor is the host, which the database has nowhere else. */
async function requireSameDomain({ config }: App, target: pg.ClientBase): Promise<void> {
  const { rows } = await target.query<{ id: string; uri: string }>(
    `select id::text, uri from ${copySchema}.accounts where domain is null and uri ~* ('^https?://' || username || '/users/' || username || '$')
      order by id limit 1`,
  );
  const [instance] = rows;
  if (instance?.id === '-99') return;
  throw new ServerImportError(
    `The instance actor of the GoToSocial is ${instance?.uri ?? 'missing'}, but BASE_URL makes this ${config.baseUrl}. ` +
      'The host must be the same, or every address would change.',
  );
}

/** Without the copy of earlier runs, rows would get other ids. */
async function requireOwnCopy(target: pg.ClientBase): Promise<void> {
  const { rows } = await target.query<{ hasCopy: boolean }>(
    `select to_regnamespace('${copySchema}') is not null as "hasCopy"`,
  );
  if (rows[0]?.hasCopy === true || (await loadSteps(target)).size === 0) return;
  throw new ServerImportError(
    `The schema ${copySchema} of the earlier import is gone. Start again with a new database.`,
  );
}

async function removeUnusedCopy(target: pg.ClientBase): Promise<void> {
  if ((await loadSteps(target)).size === 0) await target.query(`drop schema if exists ${copySchema} cascade`);
}

async function findVapidKeys(copy: pg.ClientBase): Promise<{ publicKey: string; privateKey: string } | undefined> {
  const { rows } = await copy.query<{ publicKey: string; privateKey: string }>(
    'select rtrim(public, \'=\') as "publicKey", rtrim(private, \'=\') as "privateKey" from vapid_key_pairs order by id limit 1',
  );
  return rows[0];
}
