import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { ApplicationId, UserId } from '../platform/ids.ts';
import { createApplication, createToken, unknownScopes } from '../oauth/index.ts';
import { CliError } from './cli-error.ts';

const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** The scopes of a list with blanks between them. Throws Failure when there is none, or one is unknown. */
export function parseScopeList(list: string): string[] {
  const scopes = [...new Set(list.split(/[\s,]+/).filter((scope) => scope !== ''))];
  if (scopes.length === 0) throw new CliError('--scopes must name at least one scope, such as read.');
  const unknown = unknownScopes(scopes);
  if (unknown.length > 0) throw new CliError(`There is no scope ${unknown.join(', ')}.`);
  return scopes;
}

/** Makes an access token for a user; the app of that name with these scopes is made once and used again. */
export async function issueToken(
  app: App,
  userId: UserId,
  scopes: readonly string[],
  name = 'Command line',
): Promise<string> {
  return createToken(app, { userId, applicationId: await findOrCreateApplication(app, name, scopes), scopes });
}

async function findOrCreateApplication(app: App, name: string, scopes: readonly string[]): Promise<ApplicationId> {
  const known = await app.db
    .selectFrom('oauth_applications')
    .select('id')
    .where('name', '=', name)
    .where('scopes', '=', scopes.join(' '))
    .where(sql<boolean>`redirect_uris = ${[outOfBand]}`)
    .orderBy('id')
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  return (await createApplication(app, { name, redirectUris: [outOfBand], scopes })).id;
}
