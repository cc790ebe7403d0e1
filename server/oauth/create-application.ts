import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { validationError } from '../platform/http/http-errors.ts';
import { message, type Message } from '../platform/i18n/message.ts';
import { newId, type ApplicationId } from '../platform/ids.ts';
import { hashSecret, newSecret } from '../users/sign-in/index.ts';
import { maxRedirectUrisLength, redirectUriError } from './authorize/redirect-uris.ts';
import { unknownScopes } from './scopes.ts';
import { writable } from './tables.ts';

const maxNameLength = 60;
const maxWebsiteLength = 2000;

/** An app to register. */
export interface NewApplication {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly website?: string | null;
}

/** A registered app with its secret, of which only a hash is stored. */
export interface CreatedApplication {
  readonly id: ApplicationId;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Registers an app. Throws 422 with all errors (APP-01). */
export async function createApplication(app: App, application: NewApplication): Promise<CreatedApplication> {
  const errors = validateApplication(application);
  if (errors.length > 0) throw validationError(message('http.list', { items: errors }));
  const { name, redirectUris, scopes, website } = application;
  const now = app.clock.now();
  const id = newId<'application'>(now);
  const clientId = newSecret();
  const clientSecret = newSecret();
  await transaction(app, async ({ db }) => {
    await writable(db)
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

function validateApplication({ name, redirectUris, scopes, website }: NewApplication): Message[] {
  const errors: Message[] = [];
  if (name.trim() === '') errors.push(message('oauth.applicationNameBlank'));
  if (name.length > maxNameLength) errors.push(message('oauth.applicationNameTooLong', { max: maxNameLength }));
  if (redirectUris.length === 0) errors.push(message('oauth.redirectUriBlank'));
  if (redirectUris.join('\n').length > maxRedirectUrisLength) {
    errors.push(message('oauth.redirectUriTooLong', { max: maxRedirectUrisLength }));
  }
  const wrongUris = new Set(redirectUris.map(redirectUriError).filter((problem) => problem !== undefined));
  for (const problem of wrongUris) errors.push(message(problem));
  if (unknownScopes(scopes).length > 0) errors.push(message('oauth.badScopes'));
  if (website != null && website.trim() !== '') errors.push(...validateWebsite(website.trim()));
  return errors;
}

function validateWebsite(website: string): Message[] {
  if (website.length > maxWebsiteLength) return [message('oauth.websiteTooLong', { max: maxWebsiteLength })];
  const isWeb = URL.canParse(website) && /^https?:$/.test(new URL(website).protocol);
  return isWeb ? [] : [message('oauth.websiteInvalid')];
}
