import type { Configuration, CustomFetchOptions } from 'openid-client';
import type { FetchImplementation, JWTVerifyGetKey } from 'jose';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { toError } from '../../platform/errors.ts';
import { OutgoingError } from '../../platform/outgoing/outgoing.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import type { ProviderClaims } from '../tables.ts';
import { parseClaims } from './parse-claims.ts';

const hourMs = 3_600_000;
/** Difference between the clocks of the provider and of this server that is allowed. */
const clockToleranceSeconds = 60;
const bodilessStatuses = new Set([204, 205, 304]);

/** Why a sign-in at a provider failed: the person refused, the provider does not answer, or its answer is not valid. */
export type ProviderFailure = 'denied' | 'unavailable' | 'invalid';

/** Thrown if a sign-in at a provider failed. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** The metadata of a provider, and its keys. */
interface KnownProvider {
  readonly configuration: Configuration;
  readonly keys: JWTVerifyGetKey;
}

/** What this server knows of the providers, by their names. Their keys are fetched again when they change. */
export const providersCache = new LoadingCache<string, KnownProvider>({
  name: 'users.sign_in_providers',
  maxSize: 100,
  ttlMs: hourMs,
  async load(app, name) {
    const provider = requireProvider(app, name);
    const configuration = await discoverProvider(app, provider);
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const { jwks_uri: address, issuer } = configuration.serverMetadata();
    const fetchKeys: FetchImplementation = (url, { method, headers }) =>
      fetchFrom(app, provider, url, { method, headers: Object.fromEntries(headers), body: undefined });
    const keys = createRemoteJWKSet(new URL(address ?? issuer), { [customFetch]: fetchKeys });
    return { configuration, keys };
  },
});

/** Finds a provider of the settings by its name. */
export const findProvider = ({ config }: Pick<App, 'config'>, name: string): SignInProvider | undefined =>
  config.signInProviders.find((provider) => provider.name === name);

function requireProvider(app: App, name: string): SignInProvider {
  const provider = findProvider(app, name);
  if (provider === undefined) throw new Error(`unknown sign-in provider: ${name}`);
  return provider;
}

/** Fetches the metadata of a provider. Throws ProviderError. */
export async function discoverProvider(app: App, provider: SignInProvider): Promise<Configuration> {
  const client = await import('openid-client');
  const { CLIENT_SECRET: secret } = provider;
  const basic = secret === undefined ? undefined : client.ClientSecretBasic(secret);
  const post = secret === undefined ? undefined : client.ClientSecretPost(secret);
  try {
    return await client.discovery(
      new URL(provider.ISSUER),
      provider.CLIENT_ID,
      { [client.clockTolerance]: clockToleranceSeconds },
      basic === undefined || post === undefined
        ? client.None()
        : (server, ...rest) => {
            // Without a list, providers support the header only (OpenID Connect Discovery, 3).
            const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
            return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
          },
      {
        execute: [
          client.enableNonRepudiationChecks,
          ...(provider.ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
        [client.customFetch]: (url, options) => fetchFrom(app, provider, url, options),
      },
    );
  } catch (error) {
    throw toProviderError(app, provider, error);
  }
}

/** Sends a request to a provider. Its own host may be in a private network; others that it names must be public. */
async function fetchFrom(
  app: App,
  { ISSUER }: SignInProvider,
  url: string,
  { method, headers, body }: Pick<CustomFetchOptions, 'method' | 'headers' | 'body'>,
): Promise<Response> {
  const response = await app.outgoing.request(url, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body instanceof URLSearchParams && { body: body.toString() }),
    maxRedirects: 0,
    trusted: new URL(url).origin === new URL(ISSUER).origin,
  });
  return new Response(bodilessStatuses.has(response.status) ? null : new Uint8Array(response.body), {
    status: response.status,
    headers: response.headers,
  });
}

/** The secrets of a sign-in that has begun. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const callbackOf = ({ config }: App, { name }: SignInProvider): string =>
  `${config.baseUrl}/auth/providers/${name}/callback`;

/** Returns the address at which someone signs in with a provider, again if `isForced`. Throws ProviderError. */
export async function authorizationUrl(
  app: App,
  provider: SignInProvider,
  { state, nonce, codeVerifier, isForced }: SignInSecrets & { readonly isForced: boolean },
): Promise<string> {
  const client = await import('openid-client');
  const { configuration } = await providersCache.get(app, provider.name);
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(app, provider),
    scope: provider.SCOPES,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(isForced && { prompt: 'login' }),
  });
  return url.href;
}

/**
 * Exchanges the code of a callback, and returns the claims of the person. `query`: that of the callback. Throws
 * ProviderError.
 */
export async function fetchClaims(
  app: App,
  provider: SignInProvider,
  { query, secrets }: { readonly query: string; readonly secrets: SignInSecrets },
): Promise<ProviderClaims> {
  const client = await import('openid-client');
  const { configuration } = await providersCache.get(app, provider.name);
  try {
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${callbackOf(app, provider)}${query}`), {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.codeVerifier,
      idTokenExpected: true,
    });
    const own = tokens.claims();
    if (own === undefined) throw new ProviderError('invalid', 'the provider sent no ID token');
    const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasUserinfo ? await client.fetchUserInfo(configuration, tokens.access_token, own.sub) : {};
    const claims = parseClaims({ ...own, ...more }, provider);
    if (claims === undefined) throw new ProviderError('invalid', `the claim ${provider.SUBJECT_CLAIM} is not usable`);
    return claims;
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
      throw new ProviderError('denied', 'the provider refused the sign-in', { cause: error });
    throw toProviderError(app, provider, error);
  }
}

/** Returns the address at which someone signs out of a provider; undefined if it has none. Throws ProviderError. */
export async function endSessionUrl(app: App, { name }: SignInProvider): Promise<string | undefined> {
  const client = await import('openid-client');
  const { configuration } = await providersCache.get(app, name);
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
  return client.buildEndSessionUrl(configuration).href;
}

/** What a provider signed out: a session there, or all of a person. */
export interface ProviderLogout {
  readonly sessionId: string | undefined;
  readonly subject: string | undefined;
}

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout, 2.6). Returns undefined if it is not valid. Throws
 * ProviderError if the provider does not answer.
 */
export async function verifyLogoutToken(
  app: App,
  provider: SignInProvider,
  token: string,
): Promise<ProviderLogout | undefined> {
  const { jwtVerify } = await import('jose');
  const { configuration, keys } = await providersCache.get(app, provider.name);
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: configuration.serverMetadata().issuer,
      audience: provider.CLIENT_ID,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['iat', 'jti', 'events'],
    });
    const { events, nonce, sid, sub } = payload;
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
    if (!isLogout || nonce !== undefined || (typeof sid !== 'string' && sub === undefined)) return undefined;
    return { sessionId: typeof sid === 'string' ? sid : undefined, subject: sub };
  } catch (error) {
    if (kindOf(error) === 'unavailable') throw toProviderError(app, provider, error);
    app.log.info({ provider: provider.name, err: error }, 'a logout token is not valid');
    return undefined;
  }
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Logs a failure. Whatever the library throws is one of the provider: this server passes it only what it built itself. */
function toProviderError(app: App, { name }: SignInProvider, error: unknown): ProviderError {
  const failure =
    error instanceof ProviderError ? error : new ProviderError(kindOf(error), toError(error).message, { cause: error });
  app.log.warn({ provider: name, err: failure }, 'a sign-in provider failed');
  return failure;
}

/** The library wraps errors of requests. */
function kindOf(error: unknown): ProviderFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutgoingError) return 'unavailable';
  }
  return 'invalid';
}
