import type { App } from '../platform/app.ts';

/** Longer addresses do not fit into an index of PostgreSQL (limits.tsv, link preview URL length). */
const maxUrlLength = 2_692;

/**
 * The address of a page as cards know it: absolute, without fragment; undefined for what is never previewed: other
 * schemes than http(s), addresses with credentials, too long ones, and pages of this server.
 */
export function normalizeLink(app: App, href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || isLocalDomain(app, url.host)) return undefined;
  url.hash = '';
  return url.href.length > maxUrlLength ? undefined : url.href;
}

/** Says whether a host (with port) is this server itself. */
export function isLocalDomain({ config }: App, host: string): boolean {
  const bare = host.toLowerCase().replace(/\.(?=$|:)/, '');
  return bare === config.webDomain || bare === config.domain;
}
