import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { ApplicationId, UserId } from '../../platform/ids.ts';
import { allScopes, createApplication, createTokenAsStaff, unknownScopes } from '../../oauth/index.ts';
import { CliError } from '../cli-error.ts';

const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** Parses scopes separated by spaces or commas. Throws CliError if there are none or one is unknown. */
export function parseScopeList(list: string): string[] {
  const scopes = [...new Set(list.split(/[\s,]+/).filter((scope) => scope !== ''))];
  if (scopes.length === 0) throw new CliError('--scopes needs at least one scope, such as read.');
  const unknown = unknownScopes(scopes);
  if (unknown.length > 0)
    throw new CliError(`Unknown scope: ${unknown.join(', ')}. Known ones: ${allScopes.join(', ')}`);
  return scopes;
}

/** Creates an access token for a user. Reuses an app with this name and these scopes. */
export async function issueToken(
  app: App,
  userId: UserId,
  scopes: readonly string[],
  name = 'Command line',
): Promise<string> {
  const applicationId = await findOrCreateApplication(app, name, scopes);
  return createTokenAsStaff(app, 'system', { userId, applicationId, scopes });
}

/** Returns an app with this name and these scopes, to whose tokens no address leads. */
export async function findOrCreateApplication(
  app: App,
  name: string,
  scopes: readonly string[],
): Promise<ApplicationId> {
  const existing = await app.db
    .selectFrom('oauth_applications')
    .select('id')
    .where('name', '=', name)
    .where('scopes', '=', scopes.join(' '))
    .where(sql<boolean>`redirect_uris = ${[outOfBand]}`)
    .orderBy('id')
    .executeTakeFirst();
  if (existing !== undefined) return existing.id;
  return (await createApplication(app, { name, redirectUris: [outOfBand], scopes })).id;
}
