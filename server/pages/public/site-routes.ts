import { Type } from 'typebox';
import { findLocalAccount } from '../../accounts/find/index.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html, rawHtml } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import { currentTermsOfService, findTermsOfService, type TermsOfService } from '../../site/terms/index.ts';
import { siteSettings, type SiteSettings } from '../../site/index.ts';
import { renderPage, stylesheet } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { listNewestPosts } from './public-posts.ts';
import { renderRules } from '../render/rules.ts';
import { statusCard } from '../render/status-card.ts';
import { titleFont } from '../render/title-font.ts';
import type { Visitor } from '../visitor.ts';
import { findShell } from '../web/shell.ts';

export const siteRoutes: readonly Route[] = [
  pageRoute('GET', '/', {
    summary: 'Show the home page',
    handle: async ({ visitor }) => (await findShell(visitor)) ?? homePage(visitor),
  }),
  pageRoute('GET', '/about', {
    summary: 'Describe the site, its rules and its contact',
    handle: ({ visitor }) => aboutPage(visitor),
  }),
  pageRoute('GET', '/privacy-policy', {
    summary: 'Show the privacy policy',
    handle: ({ visitor }) => privacyPage(visitor),
  }),
  pageRoute('GET', '/terms-of-service', {
    summary: 'Show the terms of service',
    handle: async ({ visitor }) => termsPage(visitor, await currentTermsOfService(visitor.app)),
  }),
  pageRoute('GET', '/terms-of-service/:date', {
    summary: 'Show the terms of service that apply from a date on',
    params: Type.Object({ date: Type.String() }),
    handle: async ({ visitor, params: { date } }) => termsPage(visitor, await findTermsOfService(visitor.app, date)),
  }),

  get('/assets/pages.css', {
    summary: 'Get the stylesheet of the pages',
    access: 'page',
    // For the pages to sign in.
    ignoresBlocks: true,
    undocumented: true,
    rateLimit: 'none',
    response: Type.Any(),
    handle: () =>
      new HttpResponse({
        text: stylesheet,
        headers: {
          'content-type': 'text/css; charset=utf-8',
          'cache-control': 'public, max-age=86400',
          'x-content-type-options': 'nosniff',
        },
      }),
  }),

  get('/assets/literata-600.woff2', {
    summary: 'Get the font of titles',
    access: 'page',
    ignoresBlocks: true,
    undocumented: true,
    rateLimit: 'none',
    response: Type.Any(),
    handle: () =>
      new HttpResponse({
        text: titleFont,
        headers: {
          'content-type': 'font/woff2',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        },
      }),
  }),

  get('/custom.css', {
    summary: 'Get the stylesheet that staff add to the pages',
    access: 'page',
    undocumented: true,
    rateLimit: 'none',
    response: Type.Any(),
    handle: async ({ app }) =>
      new HttpResponse({
        text: (await siteSettings(app)).customCss,
        headers: {
          'content-type': 'text/css; charset=utf-8',
          'cache-control': 'public, max-age=180',
          'x-content-type-options': 'nosniff',
        },
      }),
  }),
];

async function homePage(visitor: Visitor): Promise<HttpResponse> {
  const { app, activeSession, t } = visitor;
  const site = await siteSettings(app);
  // The same for everyone.
  const statuses = site.localLiveFeedAccess === 'public' ? await listNewestPosts(app) : [];
  return renderPage(visitor, {
    title: site.title,
    wide: true,
    takesCustomCss: true,
    isIndexable: true,
    head: html`<meta name="description" content="${site.description}" />`,
    body: html`<section class="card">
        <h1>${site.title}</h1>
        <p>${site.description}</p>
        ${activeSession === undefined ? signUpLinks(t, site) : signedInGreeting(t, activeSession.username, app.config.domain)}
      </section>
      ${
        statuses.length > 0 &&
        html`<h2>${t('pages.latestPosts')}</h2>
          ${statuses.map((status) => statusCard(t, status, 3))}
          <p>
            <a class="button quiet" href="/public/local">${t('nav.live')}</a>
            <a class="button quiet" href="/explore">${t('nav.explore')}</a>
          </p>`
      }`,
  });
}

function signUpLinks(t: Translator, { registrations }: SiteSettings): Html {
  return html`<p>${t('pages.welcome')}</p>
    ${registrations === 'approval' && html`<p class="soft">${t('pages.signUpsReviewed')}</p>`}
    <div class="buttons">
      ${registrations !== 'closed' && html`<a class="button" href="/auth/sign_up">${t('pages.signUp')}</a>`}
      <a class="button quiet" href="/auth/sign_in">${t('session.signIn')}</a>
    </div>`;
}

function signedInGreeting(t: Translator, username: string, domain: string): Html {
  return html`<p>
      ${t.html('pages.signedInGreeting', { handle: html`<strong dir="ltr">@${username}@${domain}</strong>`, domain: html`<strong>${domain}</strong>` })}
    </p>
    <div class="buttons">
      <a class="button" href="/@${username}">${t('accounts.openProfile')}</a
      ><a class="button quiet" href="/oauth/authorized_applications">${t('pages.yourApps')}</a>
    </div>`;
}

async function aboutPage(visitor: Visitor): Promise<HttpResponse> {
  const { t } = visitor;
  const site = await siteSettings(visitor.app);
  return renderPage(visitor, {
    title: t('pages.about'),
    wide: true,
    takesCustomCss: true,
    isIndexable: true,
    body: html`<h1>${t('pages.aboutSite', { site: site.title })}</h1>
      <section class="card">
        <p>${site.description}</p>
        ${rawHtml(site.extendedDescription)}${await renderRules(visitor)}${await contactDetails(visitor, site)}
        ${
          (await currentTermsOfService(visitor.app)) !== undefined &&
          html`<p><a href="/terms-of-service">${t('pages.termsOfService')}</a></p>`
        }
        <p class="soft small">
          ${t.html('pages.freeSoftware', { link: html`<a href="${site.sourceUrl}">${t('pages.sourceCode')}</a>` })}
        </p>
      </section>`,
  });
}

async function contactDetails(
  { app, t }: Visitor,
  { contactEmail, contactUsername }: SiteSettings,
): Promise<Html | undefined> {
  const account = contactUsername === '' ? undefined : await findLocalAccount(app, contactUsername);
  if (contactEmail === '' && account === undefined) return undefined;
  return html`<h2>${t('pages.contact')}</h2>
    ${account !== undefined && html`<p><a dir="ltr" href="/@${account.username}">@${account.username}@${app.config.domain}</a></p>`}
    ${contactEmail !== '' && html`<p><a href="mailto:${contactEmail}">${contactEmail}</a></p>`}`;
}

async function termsPage(visitor: Visitor, terms: TermsOfService | undefined): Promise<HttpResponse> {
  const { t } = visitor;
  if (terms === undefined) throw notFound('http.notFound');
  return renderPage(visitor, {
    title: t('pages.termsOfService'),
    wide: true,
    takesCustomCss: true,
    body: html`<h1>${t('pages.termsOfService')}</h1>
      <section class="card">
        <p class="soft small">${t('pages.inEffectFrom', { date: formatDay(t, terms.effectiveDate) })}</p>
        ${
          terms.changelog !== '' &&
          html`<h2>${t('terms.changelog')}</h2>
            ${terms.changelog.split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph}</p>`)}`
        }
        ${rawHtml(terms.content)}
        ${
          terms.succeededBy !== null &&
          html`<p>
            <a href="/terms-of-service/${terms.succeededBy}"
              >${t('pages.newTerms', { date: formatDay(t, terms.succeededBy) })}</a
            >
          </p>`
        }
      </section>`,
  });
}

async function privacyPage(visitor: Visitor): Promise<HttpResponse> {
  const { t } = visitor;
  const { privacyPolicy } = await siteSettings(visitor.app);
  return renderPage(visitor, {
    title: t('terms.privacy'),
    wide: true,
    takesCustomCss: true,
    body: html`<h1>${t('terms.privacy')}</h1>
      <section class="card">${rawHtml(privacyPolicy)}</section>`,
  });
}
