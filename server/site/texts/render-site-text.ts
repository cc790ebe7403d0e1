import type { App } from '../../platform/app.ts';
import { formatMarkdown } from '../../text/format/index.ts';
import { sanitizeHtml } from '../../text/index.ts';

/** The formats in which staff write a text. It is stored as HTML. */
export const siteTextTypes = ['text/html', 'text/markdown'] as const;
type SiteTextType = (typeof siteTextTypes)[number];

/** Returns the HTML that is stored and shown of a text about the site: the description, the privacy policy or the terms. */
export function renderSiteText({ config }: App, content: string, type: SiteTextType): string {
  return sanitizeHtml(type === 'text/html' ? content : fromMarkdown(content, config.baseUrl), Infinity).trim();
}

const fromMarkdown = (content: string, baseUrl: string): string =>
  formatMarkdown(content, { mentions: new Map(), hashtagUrl: (name) => `${baseUrl}/tags/${encodeURIComponent(name)}` });
