import { Parser } from 'htmlparser2';
import type { App } from '../platform/app.ts';
import { escapeHtml } from '../text/index.ts';
import { isLocalDomain } from './normalize-link.ts';

/** A player that a page offers for other pages. */
export interface Player {
  readonly html: string;
  /** Address of the player itself. */
  readonly src: string;
  /** Pixels; 0 when unknown. */
  readonly width: number;
  readonly height: number;
}

const maxMarkupLength = 20_000;
const maxSidePixels = 10_000;
/** What players need; with `allow-same-origin` only because they are of another origin than we are. */
const sandbox = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms';

/**
 * The player in the HTML that an oEmbed answer brings: of its first `iframe` only the https address and the size are
 * taken, into markup of our own. Undefined when there is none. Scripts and everything else never get through.
 */
export function parsePlayer(app: App, html: string, size: { width: number; height: number }): Player | undefined {
  let frame: Record<string, string> | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'iframe') frame ??= attributes;
    },
  });
  parser.end(html.slice(0, maxMarkupLength));
  if (frame === undefined) return undefined;
  const own = { width: parsePixels(frame['width']), height: parsePixels(frame['height']) };
  return buildPlayer(app, frame['src'] ?? '', own.width > 0 && own.height > 0 ? own : size);
}

/** A player at an https address that is not ours; undefined for every other. */
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

/** A length in pixels as pages write it; 0 for everything that is none. */
export function parsePixels(value: unknown): number {
  const number = typeof value === 'string' ? Number(value.trim().replace(/px$/, '')) : Number(value);
  return number > 0 && number <= maxSidePixels ? Math.round(number) : 0;
}
