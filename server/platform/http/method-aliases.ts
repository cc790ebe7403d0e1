import type { Route } from './routes.ts';

/** Every PUT also answers PATCH, and the reverse (reference/README.md). */
export function addMethodAliases(routes: readonly Route[]): Route[] {
  const declared = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  return routes.flatMap((route) => {
    const alias = route.method === 'PUT' ? 'PATCH' : route.method === 'PATCH' ? 'PUT' : undefined;
    if (alias === undefined || route.options.singleMethod === true || declared.has(`${alias} ${route.path}`))
      return [route];
    return [route, { ...route, method: alias, aliasOf: route.method }];
  });
}
