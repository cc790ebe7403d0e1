/** A route as the router of a test server registered it. */
export interface RegisteredRoute {
  readonly method: string;
  /** Pattern with `:name` for a parameter, and the constraints of the router if there are any. */
  readonly path: string;
}

/** A declared route of the server, with the options that the comparison needs. */
export interface DeclaredRoute extends RegisteredRoute {
  readonly access: string;
  readonly exactMethod?: boolean | undefined;
}

/** A response that a handler sent, by the route that served it. */
export interface RecordedResponse extends RegisteredRoute {
  readonly caller: 'anonymous' | 'authenticated';
  readonly status: number;
  /** The response redirects to the sign-in page. */
  readonly toSignIn?: boolean | undefined;
}

export interface RouteRecords {
  readonly registered: readonly RegisteredRoute[];
  readonly declared: readonly DeclaredRoute[];
  readonly responses: readonly RecordedResponse[];
}

/** `method` and `path` in one string. */
export const nameOf = ({ method, path }: RegisteredRoute): string => `${method} ${path}`;

/**
 * Returns one line for each route that the tests do not cover. A covered route was answered with 2xx or 3xx at least
 * once. A route that needs a token was also refused with 401 or 403 at least once. The PUT or PATCH alias that
 * `createServer` adds needs no test of its own.
 *
 * `refusesOnly` names routes that cannot succeed, with the reason. It reports an entry that is not needed.
 */
export function uncoveredRoutes(
  { registered, declared, responses }: RouteRecords,
  refusesOnly: Readonly<Record<string, string>> = {},
): string[] {
  const options = new Map(declared.map((route) => [nameOf(route), route]));
  const all = new Set([...registered, ...declared].map(nameOf));
  const twins = automaticTwins(declared);
  const answers = Map.groupBy(responses, (response) => twins.get(nameOf(response)) ?? nameOf(response));
  const lines: string[] = [];
  for (const name of all) {
    if (twins.has(name)) continue;
    const given = answers.get(name) ?? [];
    const hasSuccess = given.some(isSuccess);
    if (name in refusesOnly) {
      if (hasSuccess) lines.push(`${name}: succeeds, so it must not be listed as a route that only refuses`);
      else if (given.length === 0) lines.push(`${name}: no test reaches it`);
    } else if (!hasSuccess) {
      lines.push(`${name}: ${withoutSuccess(given)}`);
    }
    if (needsToken(options.get(name)?.access) && !given.some(isRefusal)) {
      lines.push(`${name}: needs a token, and no test is refused with 401 or 403`);
    }
  }
  for (const name of Object.keys(refusesOnly)) {
    if (!all.has(name)) lines.push(`${name}: is listed as a route that only refuses, but is not registered`);
  }
  return lines.toSorted();
}

/** Names of the PUT and PATCH routes that `createServer` adds, with the names of the routes they repeat. */
function automaticTwins(declared: readonly DeclaredRoute[]): Map<string, string> {
  const known = new Set(declared.map(nameOf));
  const twins = new Map<string, string>();
  for (const route of declared) {
    const method = route.method === 'PUT' ? 'PATCH' : route.method === 'PATCH' ? 'PUT' : undefined;
    if (method === undefined || route.exactMethod === true) continue;
    const twin = nameOf({ method, path: route.path });
    if (!known.has(twin)) twins.set(twin, nameOf(route));
  }
  // The addresses of actors with the id of the account have the handlers of those with the name.
  for (const { method, path } of declared) {
    const numeric = path.replace(/^\/users\/:username/, '/ap/users/:account_id');
    if (numeric !== path) twins.set(nameOf({ method, path: numeric }), nameOf({ method, path }));
  }
  return twins;
}

const isRefusal = ({ status, toSignIn }: RecordedResponse): boolean =>
  status === 401 || status === 403 || toSignIn === true;

const isSuccess = (response: RecordedResponse): boolean =>
  response.status >= 200 && response.status < 400 && !isRefusal(response);

const needsToken = (access: string | undefined): boolean =>
  access === 'app' || access === 'user' || access === 'session' || access?.startsWith('staff:') === true;

function withoutSuccess(given: readonly RecordedResponse[]): string {
  if (given.length === 0) return 'no test reaches it';
  const statuses = [...new Set(given.map(({ status }) => status))].toSorted((a, b) => a - b);
  return `no test gets a success from it, only ${statuses.join(', ')}`;
}
