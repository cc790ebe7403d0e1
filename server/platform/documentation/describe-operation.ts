import type { TSchema } from 'typebox';
import type { Route } from '../http/routes.ts';
import { emptyBody, mediaTypeOf } from '../http/text-bodies.ts';
import type { SchemaRegistry } from './schema-registry.ts';

type Options = Route['options'];

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);
const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

const componentRef = (kind: string, name: string): { $ref: string } => ({ $ref: `#/components/${kind}/${name}` });

/** Parameters of a route by their names, and which of them are needed. */
export function routeInput({ input }: Options): { fields: [string, TSchema][]; required: ReadonlySet<string> } {
  const { properties = {}, required = [] } = (input ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return { fields: Object.entries(properties), required: new Set(required) };
}

export const hasBody = ({ method, options }: Route): boolean =>
  methodsWithBody.has(method) && routeInput(options).fields.length > 0;

/** Returns the group of a route: the first part of its path that names a resource. */
export const routeGroup = ({ path }: Route): string => path.split('/')[3] ?? path.split('/')[1] ?? '';

/**
 * Returns a name for an operation that never changes while its method and path stay: `getStatusesByIdContext` for
 * `GET /api/v1/statuses/:id/context`; later versions of the interface are named at the end.
 */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'api' && part !== 'v1');
  const isVersion = (part: string): boolean => /^v\d/.test(part);
  const ordered = [...parts.filter((part) => !isVersion(part)), ...parts.filter(isVersion)];
  return method.toLowerCase() + ordered.map((part) => (part.startsWith(':') ? 'By' : '') + capitalize(part)).join('');
}

const capitalize = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Describes one operation; `schemas` collects the entities in it. */
export function describeOperation(route: Route, schemas: SchemaRegistry): object {
  const { method, path, options } = route;
  const description = describeAccess(options);
  return {
    operationId: operationId(route),
    summary: options.summary,
    ...(description !== '' && { description }),
    tags: [routeGroup(route)],
    ...(options.deprecatedSince !== undefined && { deprecated: true }),
    security: describeSecurity(options),
    parameters: describeParameters(route, schemas),
    ...(hasBody(route) && { requestBody: describeBody(route, schemas) }),
    responses: options.access === 'page' ? pageResponses : describeResponses({ method, path, options }, schemas),
  };
}

function describeAccess({ access, deprecatedSince }: Options): string {
  const sentences: string[] = [];
  if (access === 'session') sentences.push('Needs the CSRF token of a page, in `X-CSRF-Token`, unless it is a GET.');
  if (access === 'app') sentences.push("An app's own token is enough.");
  if (access.startsWith('staff:')) {
    sentences.push(`The user's role needs the permission ${access.slice('staff:'.length).replaceAll('|', ' or ')}.`);
  }
  if (deprecatedSince !== undefined) sentences.push(`Deprecated since ${deprecatedSince}.`);
  return sentences.join(' ');
}

/** Any one of the scopes is enough; where anyone may call, so is no token. */
function describeSecurity({ access, scope }: Options): object[] {
  if (access === 'page') return [];
  if (access === 'session') return [{ session: [] }];
  const alternatives = scope?.split('|').map((name) => ({ oauth2: [name] })) ?? [{ oauth2: [] }];
  return access === 'anyone' ? [{}, ...alternatives] : alternatives;
}

function describeParameters(route: Route, schemas: SchemaRegistry): object[] {
  const { options } = route;
  const pathParameters = Object.entries((options.params?.properties ?? {}) as Record<string, TSchema>);
  const { fields, required } = routeInput(options);
  return [
    ...pathParameters.map(([name, schema]) => ({ name, in: 'path', required: true, schema: schemas.describe(schema) })),
    ...(hasBody(route) ? [] : fields).map(([name, schema]) => ({
      name: 'type' in schema && schema.type === 'array' ? `${name}[]` : name,
      in: 'query',
      ...(required.has(name) && { required: true }),
      schema: schemas.describe(schema),
    })),
  ];
}

function describeBody(route: Route, schemas: SchemaRegistry): object {
  const described = schemas.describe(route.options.input) as Record<string, unknown>;
  const name = operationId({ path: route.path, method: route.aliasOf ?? route.method });
  const schema = schemas.register(`${name.charAt(0).toUpperCase()}${name.slice(1)}Input`, described);
  return {
    required: routeInput(route.options).required.size > 0,
    content: Object.fromEntries(bodyTypes.map((type) => [type, { schema }])),
  };
}

function describeResponses(route: Route, schemas: SchemaRegistry): object {
  const { options } = route;
  const headers = describeHeaders(route);
  const body = describeResponseBody(options, schemas);
  const successes = Object.entries({ 200: 'OK', ...options.otherStatuses });
  return {
    ...Object.fromEntries(successes.map(([status, description]) => [status, { description, headers, ...body }])),
    ...(options.hasEtag === true && {
      304: { description: 'The client has it: If-None-Match names its ETag', headers },
    }),
    ...Object.fromEntries(listErrorResponses(route).map(([status, name]) => [status, componentRef('responses', name)])),
  };
}

function describeResponseBody({ response }: Options, schemas: SchemaRegistry): object {
  if (response === emptyBody) return {};
  const mediaType = mediaTypeOf(response) ?? 'application/json';
  return { content: { [mediaType]: { schema: schemas.describe(response) } } };
}

function describeHeaders({ options }: Route): object {
  const { fields } = routeInput(options);
  const names = new Set(fields.map(([name]) => name));
  const isPaged = names.has('limit') && (names.has('max_id') || names.has('offset'));
  return {
    'X-Request-Id': componentRef('headers', 'X-Request-Id'),
    ...(isPaged && { Link: componentRef('headers', 'Link') }),
    ...(options.hasRefresh === true && { 'Mastodon-Async-Refresh': componentRef('headers', 'Mastodon-Async-Refresh') }),
    ...(options.hasEtag === true && { ETag: componentRef('headers', 'ETag') }),
    ...(options.deprecatedSince !== undefined && { Deprecation: componentRef('headers', 'Deprecation') }),
    ...(options.rateLimit !== 'none' && rateLimitHeaderRefs),
  };
}

/** Headers that tell how many requests are left. */
export const rateLimitHeaderRefs = Object.fromEntries(
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
    name,
    componentRef('headers', name),
  ]),
);

function listErrorResponses({ method, path, options }: Route): [number, string][] {
  const limited: [number, string][] = options.rateLimit === 'none' ? [] : [[429, 'TooManyRequests']];
  const always: [number, string][] = [...limited, [503, 'Unavailable']];
  if (path.startsWith('/oauth/') && options.access === 'anyone') {
    return [[400, 'OAuthBadRequest'], [401, 'OAuthUnauthorized'], [403, 'OAuthForbidden'], ...always];
  }
  return [
    [400, 'BadRequest'],
    ...(options.access === 'anyone' && options.openInLimitedFederation === true
      ? []
      : ([[401, 'Unauthorized']] satisfies [number, string][])),
    ...(options.access === 'anyone' && options.scope === undefined
      ? []
      : ([[403, 'Forbidden']] satisfies [number, string][])),
    [404, 'NotFound'],
    ...(methodsWithBody.has(method) ? ([[413, 'TooLarge']] satisfies [number, string][]) : []),
    [422, 'Unprocessable'],
    ...always,
  ];
}

const htmlContent = { 'text/html': { schema: { type: 'string' } } };

/** A page of the browser: it is shown, or leads on. */
const pageResponses = {
  200: { description: 'A page', content: htmlContent },
  303: { description: 'Leads on', headers: { Location: componentRef('headers', 'Location') } },
  400: { description: 'A page that names the error', content: htmlContent },
  401: { description: 'A page that says that the app is unknown', content: htmlContent },
  422: { description: 'A page that says that the form was not sent from this server', content: htmlContent },
  429: { description: 'A page that says that there were too many requests', content: htmlContent },
};
