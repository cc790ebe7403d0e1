import type { App } from '../../platform/app.ts';
import { textDirection } from '../../platform/i18n/locales.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import { stylesheetLink } from '../render/layout.ts';

/** Cache-Control of everything for embedding. A post that was deleted may be shown for as long. */
export const embedCacheControl = 'public, max-age=180';

/** Returns the headers of the only pages that other sites may frame: they have no forms, cookies or scripts. */
export function embedHeaders({ config }: App): Record<string, string> {
  const sources = `'self' ${config.baseUrl} https:`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': embedCacheControl,
    'content-security-policy': `default-src 'none'; style-src 'self' ${config.baseUrl}; font-src 'self' ${config.baseUrl}; img-src ${sources}; media-src ${sources}; form-action 'none'; base-uri 'self'; frame-ancestors *; sandbox allow-popups allow-popups-to-escape-sandbox allow-same-origin`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

/** Renders a page for an iframe in another site, whose links open in a new window. */
export const embedDocument = (t: Translator, title: string, body: Html): Html =>
  html`<!doctype html>
    <html lang="${t.locale}" dir="${textDirection(t.locale)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <base target="_blank" />
        ${stylesheetLink}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
