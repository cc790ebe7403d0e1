/** What a link leads to that has a preview. */
export type PeekTarget =
  | { readonly kind: 'person'; readonly acct: string; readonly path: string }
  | { readonly kind: 'post'; readonly id: string; readonly path: string }
  | { readonly kind: 'link'; readonly url: string; readonly statusId: string | undefined };

/** Returns what a path of the client leads to, if it is a profile or a post. */
export function parsePath(path: string): PeekTarget | undefined {
  const [, acct = '', id] = /^\/@([^/]*)(?:\/(\d+))?$/.exec(path) ?? [];
  if (id !== undefined) return { kind: 'post', id, path };
  return acct === '' ? undefined : { kind: 'person', acct: decodeURIComponent(acct), path };
}

/** Returns what a link of the page leads to. Undefined for links to what is shown already, and for those of navigation. */
export function targetOf(link: HTMLAnchorElement): PeekTarget | undefined {
  if (link.closest('#content, .aside') === null || link.closest('nav, .status-media') !== null) return undefined;
  if (link.origin !== location.origin) return linkTargetOf(link);
  if (link.search !== '' || link.hash !== '' || link.pathname === location.pathname) return undefined;
  const target = parsePath(link.pathname);
  if (target?.kind !== 'post') return target;
  // The name of a quoted author leads to the post, which is shown around it. Its author is not.
  if (link.matches('.quote .status-author')) return parsePath(link.pathname.replace(/\/\d+$/, ''));
  return link.matches('.status-time') ? undefined : target;
}

function linkTargetOf(link: HTMLAnchorElement): PeekTarget | undefined {
  if (link.closest('.status-content') === null || !/^https?:$/.test(link.protocol)) return undefined;
  return { kind: 'link', url: link.href, statusId: link.closest<HTMLElement>('[data-status]')?.dataset['status'] };
}
