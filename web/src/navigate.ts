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

/**
 * Keeps the router from adding the shown page to the history once more: after a double click one step back leaves the page.
 * Must be called before the router listens to clicks.
 */
export function ignoreRepeatedClicks(): void {
  addEventListener('click', (event) => {
    if (
      !(event instanceof MouseEvent) ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.shiftKey
    )
      return;
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    if (link === undefined || link.hash !== '' || link.href !== location.href || !/^(?:_self)?$/.test(link.target))
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
}
