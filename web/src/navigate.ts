let route: ((path: string) => void) | undefined;

/** Makes `openPath` use the router, once it runs. */
export function setRouter(open: (path: string) => void): void {
  route = open;
}

/** Opens a page of the client from code that is not a component. */
export function openPath(path: string): void {
  if (route === undefined) location.assign(path);
  else route(path);
}
