import { Parser } from 'htmlparser2';
import type { App } from '../platform/app.ts';
import { escapeHtml } from '../text/index.ts';
import { isLocalDomain } from './normalize-link.ts';

/** A player that other pages can embed. */
export interface Player {
  readonly html: string;
  /** URL of the player. */
  readonly src: string;
  /** Pixels; 0 when unknown. */
  readonly width: number;
  readonly height: number;
}

const maxMarkupLength = 20_000;
const maxSidePixels = 10_000;
/** The permissions that players need. `allow-same-origin` is safe because players have another origin. */
const sandbox = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms';

/**
 * Returns the player in the HTML of an oEmbed response. Takes only the https URL and the size of the first `iframe` and
 * builds new markup, so that scripts and everything else are removed. Returns undefined if there is no player.
 */
export function parsePlayer(app: App, html: string, size: { width: number; height: number }): Player | undefined {
  const frame = findElement(html, (name) => name === 'iframe');
  if (frame === undefined) return undefined;
  const frameSize = { width: parsePixels(frame['width']), height: parsePixels(frame['height']) };
  return buildPlayer(app, frame['src'] ?? '', frameSize.width > 0 && frameSize.height > 0 ? frameSize : size);
}

/**
 * Returns the frame that a script of Mastodon would put in place of the `blockquote` of its oEmbed HTML. Undefined for
 * other HTML.
 */
export function parseMastodonEmbed(
  app: App,
  html: string,
  size: { width: number; height: number },
): Player | undefined {
  const quote = findElement(html, (name, attributes) => name === 'blockquote' && 'data-embed-url' in attributes);
  return quote && buildPlayer(app, quote['data-embed-url'] ?? '', size);
}

type Attributes = Record<string, string>;

/** Returns the attributes of the first element that matches. */
function findElement(html: string, matches: (name: string, attributes: Attributes) => boolean): Attributes | undefined {
  let found: Attributes | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (found === undefined && matches(name, attributes)) found = attributes;
    },
  });
  parser.end(html.slice(0, maxMarkupLength));
  return found;
}

/** Builds the markup of a player. Returns undefined unless it has a remote https URL. */
export function buildPlayer(
  app: App,
  src: string,
  { width, height }: { width: number; height: number },
): Player | undefined {
  const absolute = src.startsWith('//') ? `https:${src}` : src;
  if (!URL.canParse(absolute)) return undefined;
  const url = new URL(absolute);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '' || isLocalDomain(app, url.host)) {
    return undefined;
  }
  const size = (width > 0 ? ` width="${width}"` : '') + (height > 0 ? ` height="${height}"` : '');
  const html = `<iframe src="${escapeHtml(url.href)}"${size} sandbox="${sandbox}" allowfullscreen="allowfullscreen" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>`;
  return { html, src: url.href, width, height };
}

/** Parses a length in pixels. Returns 0 if it is invalid. */
export function parsePixels(value: unknown): number {
  const number = typeof value === 'string' ? Number(value.trim().replace(/px$/, '')) : Number(value);
  return number > 0 && number <= maxSidePixels ? Math.round(number) : 0;
}
