import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainHost } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';
import { HttpResponse } from '../platform/http/http-response.ts';
import { html, type Html } from '../platform/http/html.ts';
import { siteSettings } from '../site/index.ts';
import type { Visitor } from './visitor.ts';

/** The one stylesheet of all pages. */
export const stylesheet = readFileSync(join(import.meta.dirname, 'pages.css'));
const stylesheetVersion = createHash('sha256').update(stylesheet).digest('base64url').slice(0, 12);

/** The element of a head that loads it. */
export const stylesheetLink = html`<link rel="stylesheet" href="/assets/pages.css?v=${stylesheetVersion}" />`;

/** What a page shows. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Elements for the head: descriptions, OpenGraph, alternates. */
  readonly head?: Html | undefined;
  /** Room for posts rather than for a form. */
  readonly wide?: boolean;
  /** Where a form may lead beside this server: the origin or scheme of an app's redirect address. */
  readonly formActionSource?: string | undefined;
  /** Left out of search engines unless true. */
  readonly isIndexable?: boolean;
}

/** A page as an answer, with its policies and the visitor's cookies. */
export async function renderPage(visitor: Visitor, page: Page): Promise<HttpResponse> {
  const { app } = visitor;
  const { title } = await siteSettings(app);
  // The page is made first: its forms may begin a visit, which sets a cookie.
  const text = renderDocument(page, { app, site: title, navigation: renderNavigation(visitor) }).text;
  return new HttpResponse({
    status: page.status ?? 200,
    headers: { ...pageHeaders(app, page.formActionSource), ...cookieHeaders(visitor) },
    text,
  });
}

/** Sends the browser on by GET, with the visitor's cookies. `location` is a path of this server or a registered address. */
export function redirectTo(visitor: Visitor, location: string): HttpResponse {
  const headers = {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...cookieHeaders(visitor),
  };
  return new HttpResponse({ status: 303, headers });
}

function cookieHeaders({ cookies }: Visitor): Record<string, string[]> {
  return cookies.length === 0 ? {} : { 'set-cookie': cookies };
}

/** Headers of every page. Nothing of it is kept, framed, or able to run a script. */
export function pageHeaders(app: App, formTarget?: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `${contentSecurityPolicy(app, formTarget)}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

function contentSecurityPolicy(app: App, formTarget = ''): string {
  const sources = `'self' ${app.config.baseUrl} https:`;
  const forms = `'self'${formTarget === '' ? '' : ` ${formTarget}`}`;
  return `default-src 'none'; style-src 'self'; img-src ${sources}; media-src ${sources}; manifest-src 'self'; form-action ${forms}; base-uri 'none'`;
}

/**
 * Returns the source that lets a form redirect to `uri`: its origin, or the scheme of an app's own address. Undefined if
 * it has no origin that a policy can name: a host may contain `;` and `,`, which would begin another directive or policy.
 */
export function formActionSourceOf(uri: string): string | undefined {
  const { protocol, host } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') return protocol;
  return isPlainHost(host) ? `${protocol}//${host}` : undefined;
}

/** The whole document. */
export function renderDocument(
  { title, body, head, wide = false, isIndexable = false }: Page,
  { app, site, navigation }: { app: App; site: string; navigation: Html | undefined },
): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title === site ? site : `${title} · ${site}`}</title>
        <meta http-equiv="Content-Security-Policy" content="${metaContentSecurityPolicy(app)}" />
        ${!isIndexable && html`<meta name="robots" content="noindex, noarchive" />`}
        <meta name="color-scheme" content="light dark" />
        ${stylesheetLink}
        <link rel="icon" href="/favicon.ico" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest" />
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="top">
          <a class="brand" href="/"><img src="/icon-192.png" alt="" width="28" height="28" />${site}</a>
          ${navigation}
        </header>
        <main id="content" ${wide && html` class="wide"`}>${body}</main>
        <footer class="foot"><a href="/about">About ${site}</a><a href="/privacy-policy">Privacy policy</a></footer>
      </body>
    </html> `;
}

// For copies of the page that lost its headers. Where forms lead is left to the header, which knows the app.
const metaContentSecurityPolicy = (app: App): string => contentSecurityPolicy(app).replace(/form-action [^;]+; /, '');

/** The links of the header: to sign in, or to what belongs to the person who is signed in. */
export function renderNavigation(visitor: Visitor): Html {
  if (visitor.session === undefined) {
    return html`<nav aria-label="Account"><a href="/auth/sign_in">Sign in</a><a href="/auth/sign_up">Sign up</a></nav>`;
  }
  return html`<nav aria-label="Account">
    <a href="/auth/edit">@${visitor.session.username}</a>
    <a href="/oauth/authorized_applications">Apps</a>
    <form method="post" action="/auth/sign_out">${formTokenField(visitor)}<button class="link">Sign out</button></form>
  </nav>`;
}

/** The hidden field that every form needs. */
export function formTokenField(visitor: Visitor): Html {
  return html`<input type="hidden" name="authenticity_token" value="${visitor.formToken()}" />`;
}
