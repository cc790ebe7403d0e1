import { Parser } from 'htmlparser2';
import type { App } from '../platform/app.ts';
import { normalizeLink } from './normalize-link.ts';

/**
 * The first link in the safe HTML of a post that may have a card: no mention, no hashtag, not the fallback link of a
 * quote, nothing of this server, and none of `people` (addresses of those whom the post mentions).
 */
export function findFirstLink(app: App, html: string, people: ReadonlySet<string> = new Set()): string | undefined {
  let found: string | undefined;
  let quoteFallback = false;
  const parser = new Parser({
    onopentag(name, { class: classes = '', href, rel = '' }) {
      const tokens = classes.split(' ');
      if (tokens.includes('quote-inline')) quoteFallback = true;
      if (found !== undefined || quoteFallback || name !== 'a' || href === undefined) return;
      if (tokens.includes('mention') || tokens.includes('hashtag') || rel.split(' ').includes('tag')) return;
      if (!people.has(href)) found = normalizeLink(app, href);
    },
    onclosetag(name) {
      if (name === 'p') quoteFallback = false;
    },
  });
  parser.end(html);
  return found;
}
