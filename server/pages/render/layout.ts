import { createHash } from 'node:crypto';
import { textDirection } from '../../platform/i18n/locales.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPageIcons, loadPageIcons, type PageIcons } from '../../instance/images/index.ts';
import { isPlainHost } from '../../oauth/authorize/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import { siteSettings } from '../../site/index.ts';
import type { PageScript } from './page-script.ts';
import type { Visitor } from '../visitor.ts';
import { appearanceAttributes, loadAppearance, themeColors, type Appearance } from '../web/appearance.ts';

const tokens = readFileSync(join(import.meta.dirname, '..', '..', '..', 'web', 'src', 'styles', 'tokens.css'), 'utf8');

/** The one stylesheet of all pages. It begins with the tokens of the web client, so that both look the same. */
export const stylesheet = tokens + readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8');
const stylesheetVersion = createHash('sha256').update(stylesheet).digest('base64url').slice(0, 12);

export const stylesheetLink = html`<link rel="stylesheet" href="/assets/pages.css?v=${stylesheetVersion}" />`;

/** What a page shows. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Elements for the head: descriptions, OpenGraph, alternates. */
  readonly head?: Html | undefined;
  /** The only script of the page, by its path on this server. By default pages run no scripts. */
  readonly script?: PageScript | undefined;
  /** Wide enough for posts. */
  readonly wide?: boolean;
  /** Additional target of forms: the origin or scheme of an app's redirect URI. */
  readonly formActionSource?: string | undefined;
  /** Whether search engines may index it. */
  readonly isIndexable?: boolean;
  /** Loads the stylesheet of staff: only public content, without a secret, a form or a question of consent. */
  readonly takesCustomCss?: boolean;
}

/** Renders a page with its security headers and the visitor's cookies. */
export async function renderPage(visitor: Visitor, page: Page): Promise<HttpResponse> {
  const { app } = visitor;
  const [{ title: site, customCss }, icons, appearance] = await Promise.all([
    siteSettings(app),
    loadPageIcons(app),
    visitor.session === undefined ? undefined : loadAppearance(app, visitor.session.userId),
  ]);
  // Rendered before the headers: a form may start a visit, which sets a cookie.
  const csrfToken = visitor.session === undefined ? undefined : visitor.formToken();
  const navigation = renderNavigation(visitor);
  const hasCustomCss = customCss !== '' && mayTakeCustomCss(visitor, page);
  const context = { app, t: visitor.t, site, navigation, csrfToken, icons, hasCustomCss, appearance };
  const text = renderDocument(page, context).text;
  return new HttpResponse({
    status: page.status ?? 200,
    headers: { ...pageHeaders(app, page.formActionSource, page.script), ...cookieHeaders(visitor) },
    text,
  });
}

/**
 * Returns whether a rendered page may load the stylesheet of staff. A rule can hide what someone consents to, and send the
 * letters of an attribute to another server. So a page must ask for it, and must not contain a token of the visitor: the
 * pages of signed-in visitors do.
 */
const mayTakeCustomCss = (visitor: Visitor, { takesCustomCss = false }: Page): boolean =>
  takesCustomCss && !visitor.hasShownToken;

/**
 * Redirects with GET and the visitor's cookies. `location` is a local path, a registered redirect URI, or an address of a
 * sign-in provider.
 */
export function redirectTo(visitor: Visitor, location: string): HttpResponse {
  const headers = {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...cookieHeaders(visitor),
  };
  return new HttpResponse({ status: 303, headers });
}

/** Returns the headers that set the visitor's cookies. */
export function cookieHeaders({ cookies }: Visitor): Record<string, string[]> {
  return cookies.length === 0 ? {} : { 'set-cookie': cookies };
}

/** Returns the headers of every page: it must not be cached or framed, and cannot run scripts but `script`. */
export function pageHeaders(app: App, formTarget?: string, script?: PageScript): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `${contentSecurityPolicy(app, formTarget, script)}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

function contentSecurityPolicy(app: App, formTarget = '', script?: PageScript): string {
  const scripts = script === undefined ? '' : ` script-src ${app.config.baseUrl}${script.path};`;
  const sources = `'self' ${app.config.baseUrl} https:`;
  const forms = `'self'${formTarget === '' ? '' : ` ${formTarget}`}`;
  return `default-src 'none';${scripts} style-src 'self'; img-src ${sources}; media-src ${sources}; font-src 'self'; manifest-src 'self'; form-action ${forms}; base-uri 'none'`;
}

/**
 * Returns the policy source that lets a form redirect to `uri`: its origin, or the scheme of an app. Undefined if the
 * host contains `;` or `,`, which would start another directive or policy.
 */
export function formActionSourceOf(uri: string): string | undefined {
  const { protocol, host } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') return protocol;
  return isPlainHost(host) ? `${protocol}//${host}` : undefined;
}

interface DocumentContext {
  readonly app: App;
  readonly t: Translator;
  readonly site: string;
  readonly navigation: Html | undefined;
  /** By default the bundled ones. */
  readonly icons?: PageIcons;
  /** For web clients, which call routes of `sessionRoute`. */
  readonly csrfToken?: string | undefined;
  /** Whether staff added a stylesheet. */
  readonly hasCustomCss?: boolean;
  /** Of the signed-in user. */
  readonly appearance?: Appearance | undefined;
}

export function renderDocument(
  { title, body, head, script, wide = false, isIndexable = false }: Page,
  { app, t, site, navigation, csrfToken, icons = bundledPageIcons, hasCustomCss = false, appearance }: DocumentContext,
): Html {
  return html`<!doctype html>
    <html lang="${t.locale}" dir="${textDirection(t.locale)}" ${appearanceAttributes(appearance)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title === site ? site : `${title} · ${site}`}</title>
        <meta http-equiv="Content-Security-Policy" content="${metaContentSecurityPolicy(app, script)}" />
        ${!isIndexable && html`<meta name="robots" content="noindex, noarchive" />`}
        <meta name="color-scheme" content="light dark" />
        ${themeColors(appearance)}
        ${stylesheetLink}${hasCustomCss && html`<link rel="stylesheet" href="/custom.css" />`}
        <link rel="icon" href="${icons.favicon}" />
        <link rel="apple-touch-icon" href="${icons.touch}" />
        <link rel="manifest" href="/manifest" />
        ${script !== undefined && html`<script src="${script.path}?v=${script.version}" type="module"></script>`}
        ${csrfToken !== undefined && html`<meta name="csrf-token" content="${csrfToken}" />`} ${head}
      </head>
      <body>
        <a class="skip" href="#content">${t('pages.skip')}</a>
        <header class="top">
          <a class="brand" href="/"><img src="${icons.header}" alt="" width="28" height="28" />${site}</a>
          ${navigation}
        </header>
        <main id="content" ${wide && html` class="wide"`}>${body}</main>
        <footer class="foot">
          <a href="/about">${t('pages.aboutSite', { site })}</a><a href="/privacy-policy">${t('terms.privacy')}</a>
        </footer>
      </body>
    </html> `;
}

// For copies of the page without its headers. Only the header has form-action, because it depends on the app.
const metaContentSecurityPolicy = (app: App, script?: PageScript): string =>
  contentSecurityPolicy(app, '', script).replace(/form-action [^;]+; /, '');

/** Renders the links of the header: to sign in, or to the pages of the signed-in user. */
export function renderNavigation(visitor: Visitor): Html {
  const { t } = visitor;
  if (visitor.session === undefined) {
    return html`<nav aria-label="${t('preferences.accountGroup')}">
      <a href="/auth/sign_in">${t('session.signIn')}</a><a href="/auth/sign_up">${t('pages.signUp')}</a>
    </nav>`;
  }
  return html`<nav aria-label="${t('preferences.accountGroup')}">
    <a dir="ltr" href="/settings">@${visitor.session.username}</a>
    <a href="/oauth/authorized_applications">${t('pages.apps')}</a>
    <form method="post" action="/auth/sign_out">
      ${formTokenField(visitor)}<button class="link">${t('pages.signOut')}</button>
    </form>
  </nav>`;
}

/** Renders the CSRF token that every form needs. */
export function formTokenField(visitor: Visitor): Html {
  return html`<input type="hidden" name="authenticity_token" value="${visitor.formToken()}" />`;
}
