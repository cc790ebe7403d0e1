import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { invalid } from '../platform/http/problems.ts';
import { newId, type ApplicationId } from '../platform/ids.ts';
import { hashSecret, newSecret } from '../users/index.ts';
import { longestRedirectUris, wrongRedirectUri } from './redirect-uris.ts';
import { unknownScopes } from './scopes.ts';

const longestName = 60;
const longestWebsite = 2000;

/** An app as it asks to be known. */
export interface NewApplication {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly website?: string | null;
}

/** A registered app with its secret, which cannot be had again: only a hash is kept. */
export interface CreatedApplication {
  readonly id: ApplicationId;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Registers an app; 422 with everything that is wrong with it (APP-01). */
export async function createApplication(app: App, application: NewApplication): Promise<CreatedApplication> {
  const errors = problemsOf(application);
  if (errors.length > 0) throw invalid(errors.join(', '));
  const { name, redirectUris, scopes, website } = application;
  const now = app.clock.now();
  const id = newId<'application'>(now);
  const clientId = newSecret();
  const clientSecret = newSecret();
  await write(app, async ({ db }) => {
    await db
      .insertInto('oauth_applications')
      .values({
        id,
        name: name.trim(),
        website: website?.trim() || null,
        redirect_uris: [...redirectUris],
        scopes: scopes.join(' '),
        client_id: clientId,
        client_secret_hash: hashSecret(clientSecret),
        created_at: now,
      })
      .execute();
  });
  return { id, clientId, clientSecret };
}

function problemsOf({ name, redirectUris, scopes, website }: NewApplication): string[] {
  const errors: string[] = [];
  if (name.trim() === '') errors.push("Application name can't be blank");
  if (name.length > longestName) errors.push(`Application name is too long (maximum is ${longestName} characters)`);
  if (redirectUris.length === 0) errors.push("Redirect URI can't be blank");
  if (redirectUris.join('\n').length > longestRedirectUris) {
    errors.push(`Redirect URI is too long (maximum is ${longestRedirectUris} characters)`);
  }
  const wrongUris = new Set(redirectUris.map(wrongRedirectUri).filter((problem) => problem !== undefined));
  for (const problem of wrongUris) errors.push(`Redirect URI ${problem}`);
  if (unknownScopes(scopes).length > 0) errors.push("Scopes doesn't match configured on the server.");
  if (website != null && website.trim() !== '') errors.push(...wrongWebsite(website.trim()));
  return errors;
}

function wrongWebsite(website: string): string[] {
  if (website.length > longestWebsite) return [`Website is too long (maximum is ${longestWebsite} characters)`];
  const isWeb = URL.canParse(website) && /^https?:$/.test(new URL(website).protocol);
  return isWeb ? [] : ['Website must be a valid URL'];
}
