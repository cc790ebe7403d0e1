import { Parser } from 'htmlparser2';
import type { ScreenedLink } from './screened.ts';

/** Returns the web links of safe HTML in order. */
export function listLinks(html: string): ScreenedLink[] {
  if (!html.includes('<a')) return [];
  const links: ScreenedLink[] = [];
  const parser = new Parser({
    onopentag(name, { href = '', class: classes = '', rel = '' }) {
      if (name !== 'a' || !URL.canParse(href)) return;
      const { hostname } = new URL(href);
      if (hostname === '') return;
      const tokens = classes.split(' ');
      const isMarked = tokens.includes('mention') || tokens.includes('hashtag') || rel.split(' ').includes('tag');
      links.push({ host: hostname, isMarked });
    },
  });
  parser.end(html);
  return links;
}
