import { Parser } from 'htmlparser2';
import type { App } from '../platform/app.ts';
import { normalizeLink } from './normalize-link.ts';

/**
 * Returns the first link in the safe HTML of a post that may have a card. Skips mentions, hashtags, the fallback link of a
 * quote, local links and `mentionedUrls` (profile addresses of mentioned accounts).
 */
export function findFirstLink(
  app: App,
  html: string,
  mentionedUrls: ReadonlySet<string> = new Set(),
): string | undefined {
  let found: string | undefined;
  let isInQuoteFallback = false;
  const parser = new Parser({
    onopentag(name, { class: classes = '', href, rel = '' }) {
      const tokens = classes.split(' ');
      if (tokens.includes('quote-inline')) isInQuoteFallback = true;
      if (found !== undefined || isInQuoteFallback || name !== 'a' || href === undefined) return;
      if (tokens.includes('mention') || tokens.includes('hashtag') || rel.split(' ').includes('tag')) return;
      if (!mentionedUrls.has(href)) found = normalizeLink(app, href);
    },
    onclosetag(name) {
      if (name === 'p') isInQuoteFallback = false;
    },
  });
  parser.end(html);
  return found;
}
