import type { TSchema } from 'typebox';
import type { Route } from './routes.ts';

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/** The OpenAPI 3.1 document, read off the same data that the router serves. */
export function openApi(routes: readonly Route[], about: { title: string; version: string; url: string }): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.options.undocumented === true || route.options.access === 'page') continue;
    const operations = (paths[route.path.replaceAll(/:(\w+)/g, '{$1}')] ??= {});
    operations[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: 'The client interface of Mastodon, served by Fieldfare.',
    },
    servers: [{ url: about.url }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An OAuth 2 access token.' } },
      schemas: { Error: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] } },
    },
  };
}

function operation({ method, path, options }: Route): object {
  const fields = Object.entries((options.input?.properties ?? {}) as Record<string, TSchema>);
  const required = new Set((options.input as { required?: string[] } | undefined)?.required);
  const inBody = methodsWithBody.has(method) && options.input !== undefined;
  const errors = options.access === 'anyone' ? ['404', '422', '429'] : ['401', '403', '404', '422', '429'];
  return {
    summary: options.summary,
    tags: [path.split('/')[3] ?? path.split('/')[1] ?? ''],
    ...(options.deprecatedSince !== undefined && { deprecated: true }),
    ...(options.access !== 'anyone' && {
      security: [{ bearer: [] }],
      description:
        options.scope === undefined ? undefined : `Needs one of the scopes ${options.scope.replaceAll('|', ', ')}.`,
    }),
    parameters: [
      ...Object.entries((options.params?.properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => ({
        name,
        in: 'path',
        required: true,
        schema: plain(schema),
      })),
      ...(inBody
        ? []
        : fields.map(([name, schema]) => ({ name, in: 'query', required: required.has(name), schema: plain(schema) }))),
    ],
    ...(inBody && {
      requestBody: {
        content: Object.fromEntries(
          ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'].map((type) => [
            type,
            { schema: plain(options.input as TSchema) },
          ]),
        ),
      },
    }),
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: plain(options.response) } } },
      ...Object.fromEntries(
        errors.map((status) => [
          status,
          {
            description: statusTexts[status],
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

const statusTexts: Record<string, string> = {
  401: 'No token, or an unknown one',
  403: 'Outside the scopes, or not allowed',
  404: 'It does not exist, or not for the caller',
  422: 'A parameter is wrong; the text names it',
  429: 'Too many requests',
};

/** The schema as plain JSON Schema: files are binary, our own marks are left out. */
function plain(schema: TSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'x-id') return undefined;
      if (typeof value === 'object' && value !== null && 'x-file' in value) return { type: 'string', format: 'binary' };
      return value;
    }),
  );
}
