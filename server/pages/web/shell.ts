import { loadPageIcons } from '../../instance/images/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import { textDirection } from '../../platform/i18n/locales.ts';
import { siteSettings } from '../../site/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { titleFontPath } from '../render/title-font.ts';
import { pageHeaders } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { appearanceAttributes, loadAppearance, themeColors } from './appearance.ts';
import { findClientBuild, type ClientBuild } from './client-files.ts';

/**
 * Returns the web client for a URL that also has a page. Undefined if there is no client, for visitors who are not signed
 * in or may not use the server, and with `?view=page`.
 */
export async function findShell(visitor: Visitor): Promise<HttpResponse | undefined> {
  const { app, activeSession: session, request } = visitor;
  if (session === undefined) return undefined;
  const build = findClientBuild(app);
  if (build === undefined) return undefined;
  const { pathname, searchParams } = new URL(request.url, app.config.baseUrl);
  if (searchParams.get('view') === 'page') return undefined;
  searchParams.set('view', 'page');
  return renderShell(visitor, { session, build, simplePage: `${pathname}?${searchParams.toString()}` });
}

/** What the shell needs besides its visitor. */
interface ShellOptions {
  readonly session: Session;
  readonly build: ClientBuild;
  /** Where visitors without scripts continue. */
  readonly simplePage: string;
}

/** Renders the document that starts the web client. Its content is the same at every URL, but for the preloads. */
export async function renderShell(
  { app, t, request }: Visitor,
  { session, build, simplePage }: ShellOptions,
): Promise<HttpResponse> {
  const [{ title }, icons, appearance] = await Promise.all([
    siteSettings(app),
    loadPageIcons(app),
    loadAppearance(app, session.userId),
  ]);
  const { pathname } = new URL(request.url, app.config.baseUrl);
  const text = html`<!doctype html>
    <html lang="${t.locale}" dir="${textDirection(t.locale)}" ${appearanceAttributes(appearance)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${title}</title>
        <meta name="robots" content="noindex, noarchive" />
        ${themeColors(appearance)}
        <link rel="icon" href="${icons.favicon}" />
        <link rel="apple-touch-icon" href="${icons.touch}" />
        <link rel="manifest" href="/manifest" />
        ${isLatin(t.locale) ? html`<link rel="preload" as="font" type="font/woff2" href="${titleFontPath}" crossorigin />` : ''}
        ${build.stylesheets.map((path) => html`<link rel="stylesheet" href="${path}" />`)}
        <script type="module" src="${build.script}"></script>
        ${[...build.modules, ...textsOf(build, t.locale)].map((path) => html`<link rel="modulepreload" href="${path}" />`)}
        ${preloads(pathname).map((path) => html`<link rel="preload" as="fetch" href="${path}" crossorigin />`)}
      </head>
      <body>
        <div id="app"><p class="starting">${title}</p></div>
        <noscript
          ><p>${t('web.needsScript')} <a href="${simplePage}">${t('web.openSimplePage')}</a></p></noscript
        >
      </body>
    </html> `.text;
  const headers = { ...pageHeaders(app), 'content-security-policy': contentSecurityPolicy(app) };
  return new HttpResponse({ headers, text });
}

/** Returns the script with the texts in a language, which the client would request only once it runs. */
const textsOf = ({ texts }: ClientBuild, language: string): string[] =>
  [texts.get(language) ?? texts.get('en')].filter((path) => path !== undefined);

/** Whether the titles of a language are in the letters that their font has. */
const isLatin = (language: string): boolean => !['ar', 'ja'].includes(language);

/** Returns what the client requests first. For a `fetch` of the same origin, browsers reuse only preloads with `crossorigin`. */
const preloads = (pathname: string): string[] => [
  '/api/web/session',
  ...(pathname === '/' || pathname === '/home' ? ['/api/v1/timelines/home?limit=20'] : []),
];

/** The source of a policy that allows every address with TLS. */
const anyHttps = 'https:';

function contentSecurityPolicy({ config: { baseUrl } }: App): string {
  const images = `'self' data: blob: ${anyHttps} ${baseUrl}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    `media-src ${images}`,
    "font-src 'self'",
    `connect-src 'self' ${new URL(baseUrl.replace(/^http/, 'ws')).origin}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    // The players of previews are sandboxed frames of other sites.
    `frame-src ${anyHttps}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
