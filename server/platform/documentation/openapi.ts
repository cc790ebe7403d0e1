import { addMethodAliases } from '../http/method-aliases.ts';
import type { Route } from '../http/routes.ts';
import { describeOperation, rateLimitHeaderRefs } from './describe-operation.ts';
import { SchemaRegistry } from './schema-registry.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  /** Address of the server. */
  readonly url: string;
  /** What each OAuth scope allows. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** The routes that the document describes. */
export const documentedRoutes = (routes: readonly Route[]): Route[] =>
  routes.filter(({ options }) => options.undocumented !== true);

/** Returns the OpenAPI 3.1 document of the data that the router serves. */
export function buildOpenApi(routes: readonly Route[], { title, version, url, scopes }: ApiInfo): object {
  const schemas = new SchemaRegistry();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of documentedRoutes(addMethodAliases(routes))) {
    const operations = (paths[route.path.replaceAll(/:(\w+)/g, '{$1}')] ??= {});
    operations[route.method.toLowerCase()] = describeOperation(route, schemas);
  }
  const error = schemas.register('Error', errorSchema);
  const oauthError = schemas.register('OAuthError', oauthErrorSchema);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: 'The Mastodon client API, served by Fieldfare.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url }],
    paths,
    components: {
      schemas: schemas.components,
      responses: {
        ...Object.fromEntries(Object.entries(errorResponses).map(([name, text]) => [name, errorResponse(text, error)])),
        ...Object.fromEntries(
          Object.entries(oauthErrorResponses).map(([name, text]) => [name, errorResponse(text, oauthError)]),
        ),
      },
      headers,
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description: 'The token is sent as `Authorization: Bearer …`.',
          flows: {
            authorizationCode: { authorizationUrl: `${url}/oauth/authorize`, tokenUrl: `${url}/oauth/token`, scopes },
            clientCredentials: { tokenUrl: `${url}/oauth/token`, scopes },
          },
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          // The prefix needs TLS (server/pages/visitor.ts).
          name: url.startsWith('https:') ? '__Host-session' : 'session',
          description: 'The cookie of a signed-in browser.',
        },
      },
    },
  };
}

const errorSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'In English; clients show it unchanged' },
    details: { type: 'object', description: 'The errors of each field' },
  },
  required: ['error'],
};

const oauthErrorSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'A code of RFC 6749, such as `invalid_grant`' },
    error_description: { type: 'string' },
  },
  required: ['error', 'error_description'],
};

const errorResponses = {
  BadRequest: 'A parameter is missing, or the body cannot be read',
  Unauthorized: 'The token is missing or invalid',
  Forbidden: 'Outside the scopes of the token, or not allowed',
  NotFound: 'It does not exist, or the caller may not see it',
  TooLarge: 'The body is too large',
  Unprocessable: 'A parameter is invalid; the text names it',
  TooManyRequests: 'Too many requests; X-RateLimit-Reset is the time of the next period',
  Unavailable: 'The server is temporarily unavailable; retry after Retry-After',
};

const oauthErrorResponses = {
  OAuthBadRequest: 'The grant, the scope or another parameter is wrong',
  OAuthUnauthorized: 'The app is unknown or has the wrong secret',
  OAuthForbidden: 'The token belongs to another app',
};

function errorResponse(description: string, schema: object): object {
  const isRateLimit = description === errorResponses.TooManyRequests;
  const isRetryable = description === errorResponses.Unavailable;
  return {
    description,
    ...(isRateLimit && { headers: rateLimitHeaderRefs }),
    ...(isRetryable && { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }),
    content: { 'application/json': { schema } },
  };
}

const stringHeader = (description: string, format?: string): object => ({
  description,
  schema: { type: 'string', ...(format !== undefined && { format }) },
});
const integerHeader = (description: string): object => ({ description, schema: { type: 'integer' } });

const headers = {
  Link: stringHeader(
    'Absolute addresses of the next (older) and previous (newer) page: `<…>; rel="next", <…>; rel="prev"`',
  ),
  ETag: stringHeader('Identifies this version of the response; sent back in If-None-Match'),
  'Mastodon-Async-Refresh': stringHeader(
    'More is being loaded in the background: `id="…", retry=SECONDS, result_count=N`. Poll /api/v1_alpha/async_refreshes/:id',
  ),
  'X-RateLimit-Limit': integerHeader('Requests allowed in this period'),
  'X-RateLimit-Remaining': integerHeader('Requests left in this period'),
  'X-RateLimit-Reset': stringHeader('When the period ends', 'date-time'),
  'X-Request-Id': stringHeader('Identifies the request in the server log', 'uuid'),
  'Retry-After': integerHeader('Seconds to wait'),
  Deprecation: stringHeader('When the operation was deprecated: `@` and a Unix time (RFC 9745)'),
  Location: stringHeader('Redirect target'),
};
