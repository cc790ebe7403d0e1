import { leaveLayers, mustLeaveLayers } from './ui/layers.ts';

/** Paths of the client. Forms and pages of the server are left to the browser. */
export const clientPaths =
  /^\/(?!(?:auth|oauth|settings|setup|about|privacy-policy|terms-of-service|api|media|web|invite|share|intent|health)(?:[/?#]|$))/;

type Route = (path: string, isReplacing?: boolean) => void;
let route: Route | undefined;

/** Makes `openPath` use the router, once it runs. */
export function setRouter(open: Route): void {
  route = open;
}

/** Opens a page of the client, and closes the layers above this one. `isReplacing`: in place of this page in the history. */
export function openPath(path: string, isReplacing = false): void {
  leaveLayers(() => {
    if (route !== undefined) route(path, isReplacing);
    else if (isReplacing) location.replace(path);
    else location.assign(path);
  });
}

/**
 * Leaves this document for another one of the server, which may be the client again. A step back in the history that a closed
 * layer still makes would cancel it, so that comes first.
 */
export function openDocument(path: string): void {
  leaveLayers(() => location.assign(path));
}

/** Goes back to the page before, also while layers are open above this one. */
export function goBack(): void {
  leaveLayers(() => history.back());
}

/**
 * Keeps the router from adding the shown page to the history once more (after a double click one step back leaves the page):
 * in a navigation, a link to the shown page leads to its top. And closes the layers above the page before a link is followed, so that a step back leads from the new page to this one
 * without them. Must be called before the router listens to clicks.
 */
export function watchLinks(): void {
  addEventListener('click', (event) => {
    const link = event instanceof MouseEvent ? findFollowedLink(event) : undefined;
    if (link === undefined) return;
    const isRepeated = link.href === location.href;
    if (!isRepeated && !mustLeaveLayers()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { href, origin, pathname, search } = link;
    if (isRepeated) leaveLayers(() => link.closest('nav') !== null && scrollTo({ top: 0 }));
    else if (origin === location.origin && clientPaths.test(pathname)) openPath(pathname + search);
    else openDocument(href);
  });
}

/** Returns the link to another document that a click opens in this window. */
function findFollowedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const { button, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
  if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey || defaultPrevented) return undefined;
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  if (link === undefined || link.hash !== '' || !/^(?:_self)?$/.test(link.target) || link.hasAttribute('download'))
    return undefined;
  return /^https?:$/.test(link.protocol) ? link : undefined;
}
