import { matchesEtag, weakEtag } from '../../platform/http/etag.ts';
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
  const etag = weakEtag(text);
  const headers = {
    'content-type': 'application/rss+xml; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    etag,
    ...(vary && { vary: 'Accept' }),
    ...(!isIndexable && { 'x-robots-tag': 'noindex' }),
  };
  if (matchesEtag(request.headers, etag)) return new HttpResponse({ status: 304, headers });
  return new HttpResponse({ headers, text });
}
