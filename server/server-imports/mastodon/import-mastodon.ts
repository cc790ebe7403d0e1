import type pg from 'pg';
import type { App } from '../../platform/app.ts';
import type { TokenId } from '../../platform/ids.ts';
import { sealToken } from '../../push/index.ts';
import { connectSource, isDatabaseUrl } from '../connect-source.ts';
import { countLosses } from '../count-rows.ts';
import { describeTables } from '../describe-tables.ts';
import { prepareRun } from '../import-run.ts';
import { connectTarget, endAll, ServerImport } from '../server-import.ts';
import { ServerImportError } from '../server-import-error.ts';
import type { RemotePosts } from '../table-import.ts';
import type { MastodonEnvironment } from './environment.ts';
import { identityIssuer } from './identities.ts';
import { mastodonPlan } from './mastodon-plan.ts';
import { checkPrivateKeys } from './private-keys.ts';
import { checkOtpSecrets } from './second-factors.ts';

export interface MastodonImportOptions {
  /** Address of the database of the Mastodon. */
  readonly databaseUrl: string;
  readonly environment: MastodonEnvironment;
  readonly remote: RemotePosts;
  /** Folder with its files (`public/system`); undefined: the files are in the storage already. */
  readonly mediaFolder: string | undefined;
}

/** The newest migration of Mastodon 4.2.0. */
const oldestVersion = '20230907150100';

/** Opens the import of a Mastodon. Connects and checks both sides. Throws ServerImportError. */
export async function openMastodonImport(app: App, options: MastodonImportOptions): Promise<ServerImport> {
  const { environment, databaseUrl, remote, mediaFolder } = options;
  requireSameDomain(app, environment);
  if (!isDatabaseUrl(databaseUrl))
    throw new ServerImportError(
      '--database must be an address such as postgres://user:password@host/mastodon_production. Restore a dump into a database first: docs/migration.md.',
    );
  const source = await connectSource(databaseUrl);
  let target: pg.Client | undefined;
  try {
    await requireVersion(source);
    target = await connectTarget(app, 'mastodon');
    const { baseUrl, domain } = app.config;
    const tables = await describeTables(source);
    const plan = mastodonPlan(tables, {
      site: { baseUrl, domain },
      remote,
      otpSecrets: await checkOtpSecrets(source, tables, environment),
      privateKeys: await checkPrivateKeys(source, tables, environment),
      issuer: identityIssuer(app.config, environment),
      sealToken: (tokenId, token) => sealToken(app, tokenId as TokenId, token),
    });
    const run = await prepareRun({ source, target, plan });
    return new ServerImport(app, {
      run,
      countLosses: () => countLosses(run),
      vapid: environment.vapid,
      mediaFolder,
      close: () => endAll(source, target),
    });
  } catch (error) {
    await endAll(source, target);
    throw error;
  }
}

function requireSameDomain({ config }: App, { localDomain, webDomain }: MastodonEnvironment): void {
  if (config.domain === localDomain && config.webDomain === webDomain) return;
  throw new ServerImportError(
    `The Mastodon is ${localDomain} at https://${webDomain}, but BASE_URL and DOMAIN make this ${config.domain} at ${config.baseUrl}. ` +
      'They must be the same, or every address would change.',
  );
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
