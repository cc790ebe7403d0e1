import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import type { RequestContext } from '../platform/http/routes.ts';
import { cleanText } from '../text/index.ts';
import { oauthHttpError } from './authorize/oauth-errors.ts';
import { authenticateClient, type ApplicationRow } from './find-applications.ts';

/** Parameters with which an app authenticates, unless it uses HTTP Basic. */
export const clientInput = { client_id: Type.Optional(Type.String()), client_secret: Type.Optional(Type.String()) };

export interface ClientInput {
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** Returns the app that sends a request. Throws 401 `invalid_client` if its id or secret is missing or wrong. */
export async function requireClient(app: App, input: ClientInput, request: RequestContext): Promise<ApplicationRow> {
  const client = await findClient(app, input, request);
  if (client === undefined) throw oauthHttpError('invalid_client');
  return client;
}

/** Returns the app that sends a request; undefined if its id or secret is missing or wrong. */
export async function findClient(
  app: App,
  input: ClientInput,
  request: RequestContext,
): Promise<ApplicationRow | undefined> {
  const credentials = parseClientCredentials(input, request);
  return credentials && (await authenticateClient(app, credentials));
}

/** The client's id and secret, from HTTP Basic or the parameters. */
function parseClientCredentials(
  input: ClientInput,
  { headers }: RequestContext,
): { clientId: string; clientSecret: string } | undefined {
  const basic = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec((headers['authorization'] as string | undefined) ?? '')?.[1];
  if (basic !== undefined) {
    const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString('utf8')) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    return { clientId: cleanText(decodeComponent(id)), clientSecret: cleanText(decodeComponent(secret)) };
  }
  const { client_id: clientId, client_secret: clientSecret } = input;
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

// RFC 6749 form-encodes both parts before they are joined. Ours need no escapes, so plain ones are equal.
function decodeComponent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
