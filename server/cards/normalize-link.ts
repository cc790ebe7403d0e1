import type { App } from '../platform/app.ts';

/** Longer URLs do not fit into a PostgreSQL index (limits.tsv, link preview URL length). */
const maxUrlLength = 2_692;

/**
 * Returns an absolute URL without fragment. Returns undefined for links that never have a card: other schemes than
 * http(s), URLs with credentials, too long ones, and local pages.
 */
export function normalizeLink(app: App, href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || isLocalDomain(app, url.host)) return undefined;
  url.hash = '';
  return url.href.length > maxUrlLength ? undefined : url.href;
}

/** Returns whether a host (with port) is this instance. */
export function isLocalDomain({ config }: App, host: string): boolean {
  const bare = host.toLowerCase().replace(/\.(?=$|:)/, '');
  return bare === config.webDomain || bare === config.domain;
}
