import type { TSchema } from 'typebox';
import { html, type Html } from '../http/html.ts';
import type { Route } from '../http/routes.ts';
import { documentedRoutes } from './openapi.ts';
import { routeGroup, hasBody, routeInput, operationId } from './describe-operation.ts';

/**
 * The interface as a page: one entry for each operation, opened to see its parameters. Without scripts it can be
 * browsed; explorer.js adds the search and the forms to try operations.
 */
export function renderExplorerPage(routes: readonly Route[]): Html {
  const shown = documentedRoutes(routes);
  const groups = [...Map.groupBy(shown, routeGroup)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>The API of this server</title>
        <link rel="icon" href="/favicon.ico" />
        <link rel="stylesheet" href="/api/docs/explorer.css" />
        <script src="/api/docs/explorer.js" defer></script>
      </head>
      <body>
        <h1>The API of this server</h1>
        <p>
          ${shown.length} operations, also as an <a href="/api/openapi.json">OpenAPI document</a>. Parameters may come
          in the query, or in a body as JSON, form or multipart.
        </p>
        <div class="tools" id="tools" hidden>
          <label for="search">Search</label>
          <input id="search" type="search" placeholder="statuses, follow, /api/v1/…" autocomplete="off" />
          <label for="token">Access token</label>
          <input
            class="secret"
            id="token"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            aria-describedby="token-hint"
          />
          <p class="note" id="token-hint">For “Try it”. It stays in this tab until you close or reload it.</p>
          <p class="note" id="found" role="status"></p>
        </div>
        ${groups.map(
          ([name, members]) =>
            html`<section>
              <h2 id="group-${name}">${name}</h2>
              ${members.map(renderOperation)}
            </section>`,
        )}
      </body>
    </html> `;
}

function renderOperation(route: Route): Html {
  const { method, path, options } = route;
  const parameters = listParameters(route);
  return html`<details
    id="${operationId(route)}"
    data-method="${method}"
    data-path="${path}"
    data-access="${options.access}"
  >
    <summary>
      <code class="method ${method.toLowerCase()}">${method}</code> <code class="path">${breakablePath(path)}</code>
      <span class="summary">${options.summary}</span>
    </summary>
    <p class="note">
      ${describeAccess(options)}${options.deprecatedSince !== undefined && ` Deprecated since ${options.deprecatedSince}.`}
    </p>
    ${
      parameters.length > 0 &&
      html`<ul class="parameters">
        ${parameters.map(renderParameter)}
      </ul>`
    }
  </details>`;
}

/** A path that may be broken before each slash. */
const breakablePath = (path: string): Html[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => html`<wbr />/${part}`);

interface Parameter {
  readonly name: string;
  readonly location: 'path' | 'query' | 'body';
  readonly schema: TSchema;
  readonly isRequired: boolean;
}

function listParameters(route: Route): Parameter[] {
  const { fields, required } = routeInput(route.options);
  const location = hasBody(route) ? 'body' : 'query';
  const pathParameters = Object.entries((route.options.params?.properties ?? {}) as Record<string, TSchema>);
  return [
    ...pathParameters.map(([name, schema]) => ({ name, location: 'path' as const, schema, isRequired: true })),
    ...fields.map(([name, schema]) => ({ name, location, schema, isRequired: required.has(name) }) as const),
  ];
}

function renderParameter({ name, location, schema, isRequired }: Parameter): Html {
  const { kind, choices } = describeType(schema);
  const { description } = schema as ParameterSchema;
  return html`<li
    data-name="${name}"
    data-place="${location}"
    data-kind="${kind}"
    data-choices="${choices.join(' ')}"
    ${isRequired && html`data-required=""`}
  >
    <code>${name}</code>
    <span class="note"
      >${[choices.join(', ') || kind, location, isRequired && 'required'].filter(Boolean).join(' · ')}</span
    >
    ${description !== undefined && html`<span class="note">${description}</span>`}
  </li>`;
}

interface ParameterSchema {
  readonly type?: string;
  readonly description?: string;
  readonly items?: ParameterSchema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly 'x-id'?: unknown;
  readonly 'x-file'?: boolean;
}

/** What a parameter takes, in a word, and its choices if it has only some. */
function describeType(schema: TSchema): { kind: string; choices: string[] } {
  const shape = schema as ParameterSchema;
  const choices = (shape.enum ?? shape.anyOf?.map((member) => member.const) ?? []).filter(
    (choice) => typeof choice === 'string',
  );
  if (shape['x-file'] === true) return { kind: 'file', choices };
  if (shape['x-id'] !== undefined) return { kind: 'id', choices };
  if (shape.type !== 'array') return { kind: shape.type ?? 'string', choices };
  return shape.items?.type === 'object' ? { kind: 'objects', choices } : { kind: 'list', choices };
}

function describeAccess({ access, scope }: Route['options']): string {
  const scopes = scope === undefined ? '' : ` with the scope ${scope.replaceAll('|', ' or ')}`;
  if (access === 'page') return 'A page for the browser of a user.';
  if (access === 'session') return 'For a signed-in browser on a page of this server.';
  if (access === 'anyone') return scope === undefined ? 'For anyone.' : `For anyone; a token needs${scopes.slice(5)}.`;
  if (access === 'app') return `Needs a token of an app or a user${scopes}.`;
  if (access === 'user') return `Needs a user's token${scopes}.`;
  return `Needs a token${scopes} of a user with the permission ${access.slice('staff:'.length).replaceAll('|', ' or ')}.`;
}
