import type { App } from '../../platform/app.ts';
import { type ApplicationRow, findApplication } from '../find-applications.ts';
import { message } from '../../platform/i18n/message.ts';
import { type OauthError, oauthError } from './oauth-errors.ts';
import { outOfBand, withParameters, redirectUriError } from './redirect-uris.ts';
import { resolveScopes, parseScopes } from '../scopes.ts';

/** The parameters of the consent page. */
export interface AuthorizationParameters {
  readonly response_type?: string;
  readonly client_id?: string;
  readonly redirect_uri?: string;
  readonly scope?: string;
  readonly state?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
}

/** A valid authorization request of an app. */
export interface AuthorizationRequest {
  readonly application: ApplicationRow;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
}

/**
 * The request or an error. With `redirect` the error goes to the app; without it the redirect address is not registered
 * or out of band, and a page shows the error.
 */
export type AuthorizationResult =
  | { readonly request: AuthorizationRequest }
  | { readonly error: OauthError; readonly redirect: string | undefined };

/** Checks an authorization request. The order ensures that no unregistered address is redirected to. */
export async function checkAuthorization(app: App, parameters: AuthorizationParameters): Promise<AuthorizationResult> {
  const { client_id: clientId, redirect_uri: redirectUri, state } = parameters;
  const application = clientId === undefined ? undefined : await findApplication(app, clientId);
  if (application === undefined) return { error: oauthError('invalid_client'), redirect: undefined };
  if (!isUsableRedirectUri(application, redirectUri)) {
    return { error: oauthError('invalid_redirect_uri'), redirect: undefined };
  }
  const scopes = resolveScopes(parseScopes(application.scopes), parameters.scope);
  const error = findParameterError(parameters) ?? (scopes === undefined ? oauthError('invalid_scope') : undefined);
  if (error !== undefined || scopes === undefined) {
    const failure = error ?? oauthError('invalid_scope');
    return { error: failure, redirect: errorRedirect(redirectUri, failure, state) };
  }
  return { request: { application, redirectUri, scopes, state, codeChallenge: parameters.code_challenge } };
}

/** Returns whether an app registered the address, and it is still valid. */
const isUsableRedirectUri = (application: ApplicationRow, uri: string | undefined): uri is string =>
  uri !== undefined && application.redirect_uris.includes(uri) && redirectUriError(uri) === undefined;

function findParameterError(parameters: AuthorizationParameters): OauthError | undefined {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method } = parameters;
  if (type === undefined)
    return oauthError('invalid_request', message('oauth.missingParameter', { name: 'response_type' }));
  if (type !== 'code') return oauthError('unsupported_response_type');
  if (challenge === undefined && method === undefined) return undefined;
  // Without a method a challenge would be the verifier itself (RFC 7636), which protects nothing.
  if (method !== 'S256') return oauthError('invalid_code_challenge_method');
  if (challenge === undefined || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return oauthError('invalid_request', message('oauth.badCodeChallenge'));
  }
  return undefined;
}

/** Returns the address that reports an error to the app; undefined if it cannot be redirected to. */
export function errorRedirect(redirectUri: string, error: OauthError, state: string | undefined): string | undefined {
  if (redirectUri === outOfBand) return undefined;
  return withParameters(redirectUri, { error: error.code, error_description: String(error.description), state });
}

/** Returns the address that passes the code to the app; for the out-of-band address, the local page that shows it. */
export function codeRedirect({ redirectUri, state }: AuthorizationRequest, code: string): string {
  if (redirectUri === outOfBand) return withParameters('/oauth/authorize/native', { code });
  return withParameters(redirectUri, { code, state });
}
