import { timingSafeEqual } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { ApplicationId } from '../platform/ids.ts';
import { vapidKeys } from '../site/index.ts';
import { hashSecret } from '../users/sign-in/index.ts';
import type { Application } from './schema.ts';
import { parseScopes } from './scopes.ts';

/** The row of a registered app. */
export interface ApplicationRow {
  readonly id: ApplicationId;
  readonly name: string;
  readonly website: string | null;
  readonly redirect_uris: string[];
  readonly scopes: string;
}

const columns = ['id', 'name', 'website', 'redirect_uris', 'scopes'] as const;

/** Finds the app with this client id. */
export async function findApplication(app: App, clientId: string): Promise<ApplicationRow | undefined> {
  return app.db.selectFrom('oauth_applications').select(columns).where('client_id', '=', clientId).executeTakeFirst();
}

/** Returns the app with this id. Throws 404 if there is none. */
export async function requireApplication(app: App, id: ApplicationId | undefined): Promise<ApplicationRow> {
  const row =
    id === undefined
      ? undefined
      : await app.db.selectFrom('oauth_applications').select(columns).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** Returns the app with this client id and secret; undefined if either is wrong. */
export async function authenticateClient(
  app: App,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<ApplicationRow | undefined> {
  const row = await app.db
    .selectFrom('oauth_applications')
    .select([...columns, 'client_secret_hash'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { client_secret_hash: expected, ...application } = row;
  return timingSafeEqual(hashSecret(clientSecret), expected) ? application : undefined;
}

/** Returns an app for the API, without its secret. */
export async function presentApplication(app: App, row: ApplicationRow): Promise<Application> {
  return {
    id: row.id,
    name: row.name,
    website: row.website,
    scopes: parseScopes(row.scopes),
    redirect_uris: row.redirect_uris,
    redirect_uri: row.redirect_uris.join('\n'),
    vapid_key: (await vapidKeys(app)).publicKey,
  };
}
