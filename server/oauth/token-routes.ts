import { Type, type Static } from 'typebox';
import { loadCachedAccounts, parseAccount } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { get, post, routeOptions, type Route, type CurrentUser } from '../platform/http/routes.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import { hashSecret } from '../users/sign-in/index.ts';
import { clientInput, findClient, requireClient } from './authenticate-client.ts';
import { insertToken } from './create-token.ts';
import { exchangeDeviceCode } from './device/exchange-device-code.ts';
import type { ApplicationRow } from './find-applications.ts';
import { exchangeCode, presentToken } from './authorize/authorization-codes.ts';
import { oauthHttpError } from './authorize/oauth-errors.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { OAuthServerMetadata, OAuthUserinfo, Token } from './schema.ts';
import { allScopes, resolveScopes, parseScopes } from './scopes.ts';

const text = Type.Optional(Type.String());
const tokenInput = Type.Object({
  ...clientInput,
  grant_type: text,
  code: text,
  redirect_uri: text,
  code_verifier: text,
  device_code: text,
  scope: text,
});
type TokenInput = Static<typeof tokenInput>;

/** RFC 8628 */
const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

const userinfoOptions = routeOptions({
  summary: 'Show the user of the token, for signing in to other sites',
  access: 'user',
  scope: 'profile',
  response: OAuthUserinfo,
  handle: ({ app, viewer }) => presentUserinfo(app, viewer),
});

export const tokenRoutes: readonly Route[] = [
  post('/oauth/token', {
    summary: 'Create a token for a code, for the code of a device, or for the app itself',
    access: 'anyone',
    onlyAdds: true,
    openInLimitedFederation: true,
    input: tokenInput,
    response: Token,
    async handle({ app, input, request }) {
      const client = await requireClient(app, input, request);
      switch (input.grant_type) {
        case undefined:
          throw missingParameterError('grant_type');
        case 'authorization_code':
          return issueTokenForCode(app, client, input);
        case 'client_credentials':
          return issueAppToken(app, client, input.scope);
        case deviceGrantType:
          return issueTokenForDevice(app, client, input);
        default:
          throw oauthHttpError('unsupported_grant_type');
      }
    },
  }),

  post('/oauth/revoke', {
    summary: 'Revoke a token',
    access: 'anyone',
    openInLimitedFederation: true,
    input: Type.Object({ ...clientInput, token: text }),
    response: Type.Object({}),
    async handle({ app, input, request }) {
      const client = await findClient(app, input, request);
      const description = message('oauth.mayNotRevoke');
      if (client === undefined) throw oauthHttpError('unauthorized_client', { status: 403, description });
      if (!(await revokeClientToken(app, client, input.token ?? ''))) {
        throw oauthHttpError('unauthorized_client', { status: 403, description });
      }
      return {};
    },
  }),

  get('/oauth/userinfo', userinfoOptions),
  post('/oauth/userinfo', userinfoOptions),

  get('/.well-known/oauth-authorization-server', {
    summary: 'Describe the OAuth server (RFC 8414)',
    access: 'anyone',
    openInLimitedFederation: true,
    response: OAuthServerMetadata,
    handle({ app }) {
      const { baseUrl } = app.config;
      return {
        issuer: `${baseUrl}/`,
        service_documentation: `${baseUrl}/api/docs`,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/oauth/token`,
        device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
        app_registration_endpoint: `${baseUrl}/api/v1/apps`,
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
        scopes_supported: [...allScopes],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'client_credentials', deviceGrantType],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      };
    },
  }),
];

const missingParameterError = (name: string) =>
  oauthHttpError('invalid_request', { description: message('oauth.missingParameter', { name }) });

async function issueTokenForCode(app: App, client: ApplicationRow, input: TokenInput): Promise<Token> {
  const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = input;
  if (code === undefined) throw missingParameterError('code');
  if (redirectUri === undefined) throw missingParameterError('redirect_uri');
  const token = await exchangeCode(app, { applicationId: client.id, code, redirectUri, codeVerifier });
  if (token === undefined) throw oauthHttpError('invalid_grant');
  return token;
}

async function issueTokenForDevice(app: App, client: ApplicationRow, input: TokenInput): Promise<Token> {
  const { device_code: deviceCode } = input;
  if (deviceCode === undefined) throw missingParameterError('device_code');
  const result = await exchangeDeviceCode(app, { applicationId: client.id, deviceCode });
  if ('error' in result) throw oauthHttpError(result.error, { status: 400 });
  return result.token;
}

async function issueAppToken(app: App, client: ApplicationRow, requested: string | undefined): Promise<Token> {
  const scopes = resolveScopes(parseScopes(client.scopes), requested);
  if (scopes === undefined) throw oauthHttpError('invalid_scope');
  const token = await transaction(app, (tx) =>
    insertToken(tx, app, { userId: null, applicationId: client.id, scopes }),
  );
  return presentToken(token, scopes);
}

/** Revokes a token. Returns false if it belongs to another app. An unknown token counts as revoked. */
async function revokeClientToken(app: App, client: ApplicationRow, token: string): Promise<boolean> {
  const found = await app.db
    .selectFrom('oauth_tokens')
    .select(['id', 'application_id'])
    .where('token_hash', '=', hashSecret(token))
    .executeTakeFirst();
  if (found === undefined) return true;
  if (found.application_id !== client.id) return false;
  await transaction(app, (tx) => revokeTokens(tx, { tokenId: found.id }));
  return true;
}

async function presentUserinfo(app: App, { accountId }: CurrentUser): Promise<OAuthUserinfo> {
  const body = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (body === undefined) throw notFound();
  const { display_name: name, avatar } = parseAccount(body);
  return {
    iss: `${app.config.baseUrl}/`,
    sub: body.uri,
    name,
    preferred_username: body.username,
    profile: body.url,
    picture: avatar,
  };
}
