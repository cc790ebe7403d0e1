import { createHash } from 'node:crypto';
import { HttpResponse } from '../../platform/http/http-response.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { renderRss, type RssFeed } from './render-rss.ts';

/** Returns a feed, or 304 if the client has it. `vary`: the URL also has a page. */
export function feedResponse(
  request: RequestContext,
  feed: RssFeed,
  { isIndexable, vary = false }: { isIndexable: boolean; vary?: boolean },
): HttpResponse {
  const text = renderRss(feed);
  // Weak, because the body may be compressed.
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': 'application/rss+xml; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    etag,
    ...(vary && { vary: 'Accept' }),
    ...(!isIndexable && { 'x-robots-tag': 'noindex' }),
  };
  if (isKnown(request, etag)) return new HttpResponse({ status: 304, headers });
  return new HttpResponse({ headers, text });
}

/** Whether the client has this version (RFC 9110, section 13.1.2). */
function isKnown({ headers }: RequestContext, etag: string): boolean {
  const known = String(headers['if-none-match'] ?? '').split(',');
  return known.some((tag) => ['*', etag, etag.slice(2)].includes(tag.trim()));
}
