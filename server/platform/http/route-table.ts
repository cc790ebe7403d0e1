import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import { declaresFiles } from './file-parameters.ts';
import { addMethodAliases } from './method-aliases.ts';
import { apiHeaders, corsHeaders, jsonType } from './response-headers.ts';
import { usesCookies, type Route } from './routes.ts';

/** A route as it is served. */
export interface ServedRoute extends Route {
  /** Method and path. */
  readonly name: string;
  /** Whether it has parameters that are files. */
  readonly takesFiles: boolean;
  /** Sent with each response of its handler. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cache-Control of responses that have none: with an ETag, a client may keep one, but must ask about it. */
  readonly caching: string;
  /** All that JSON without headers of its own is sent with: names and values by turns, as `writeHead` takes them. */
  readonly jsonHeaders: readonly string[];
}

/** The route of a request, with its path parameters. */
export interface RouteMatch {
  readonly route: ServedRoute;
  readonly params: Readonly<Record<string, string | undefined>>;
}

const maxParamLength = 2_048;

/** Finds routes by method and path. It knows no app, so all servers of a process share it. */
export class RouteTable {
  /** The routes and their aliases. */
  readonly routes: readonly ServedRoute[];
  readonly #router: Instance<HTTPVersion.V1>;

  constructor(routes: readonly Route[]) {
    this.routes = addMethodAliases(routes).map(prepareRoute);
    this.#router = createRouter({ maxParamLength, ignoreTrailingSlash: true, querystringParser: () => ({}) });
    for (const route of this.routes) this.#router.on(route.method, route.path, unused, route);
  }

  /** Returns the route of a request; undefined if there is none. HEAD has the routes of GET. */
  find(method: string, url: string): RouteMatch | undefined {
    const found = this.#router.find(method === 'HEAD' ? 'GET' : (method as HTTPMethod), url);
    return found === null ? undefined : { route: found.store, params: found.params };
  }
}

const unused = (): void => {};

function prepareRoute(route: Route): ServedRoute {
  const { method, path, options } = route;
  const headers = headersOf(options);
  const caching = options.hasEtag === true ? 'private, no-cache' : 'private, no-store';
  const jsonHeaders = { ...headers, ...apiHeaders, 'content-type': jsonType, 'cache-control': caching };
  return {
    ...route,
    name: `${method} ${path}`,
    takesFiles: options.input !== undefined && declaresFiles(options.input),
    headers,
    caching,
    jsonHeaders: Object.entries(jsonHeaders).flat(),
  };
}

const headersOf = ({ access, deprecatedSince }: Route['options']): Record<string, string> => ({
  ...(access !== 'page' && apiHeaders),
  ...(!usesCookies(access) && corsHeaders),
  ...(deprecatedSince !== undefined && { deprecation: `@${Math.floor(Date.parse(deprecatedSince) / 1000)}` }),
});

const tables = new WeakMap<readonly Route[], RouteTable>();

/** Returns the table of these routes. Tests start hundreds of servers with the same ones. */
export function routeTableOf(routes: readonly Route[]): RouteTable {
  let table = tables.get(routes);
  if (table === undefined) {
    table = new RouteTable(routes);
    tables.set(routes, table);
  }
  return table;
}
