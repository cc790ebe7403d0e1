import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { loadIcons, loadPageIcons } from '../../instance/images/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { chooseLocale } from '../../platform/i18n/locales.ts';
import { translator } from '../../platform/i18n/translator.ts';
import { siteSettings } from '../../site/index.ts';
import { backgrounds } from './appearance.ts';

/** What systems need to install the web client. */
export const manifestRoutes: readonly Route[] = [
  get('/manifest', {
    summary: 'Get the web app manifest',
    access: 'page',
    undocumented: true,
    rateLimit: 'none',
    response: Type.Any(),
    async handle({ app }) {
      return new HttpResponse({
        headers: {
          'content-type': 'application/manifest+json; charset=utf-8',
          'cache-control': 'public, max-age=3600',
        },
        text: JSON.stringify(await buildManifest(app)),
      });
    },
  }),

  get('/assets/screenshots/:name', {
    summary: 'Get a screenshot of the web client for the manifest',
    access: 'page',
    undocumented: true,
    rateLimit: 'none',
    params: Type.Object({ name: Type.String() }),
    response: Type.Any(),
    async handle({ params: { name } }) {
      const found = screenshots.find(({ name: other }) => other === name);
      if (found === undefined) throw notFound('http.notFound');
      return new HttpResponse({
        text: await readFile(found.file),
        headers: {
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=86400',
          'x-content-type-options': 'nosniff',
        },
      });
    },
  }),
];

/** Screenshots of home with demo data, which systems show before they install the client: `npm run bench -- screenshots`. */
const screenshots = [
  {
    name: 'wide.webp',
    file: new URL('screenshots/wide.webp', import.meta.url),
    sizes: '1280x800',
    form_factor: 'wide',
  },
  {
    name: 'narrow.webp',
    file: new URL('screenshots/narrow.webp', import.meta.url),
    sizes: '780x1688',
    form_factor: 'narrow',
  },
];

async function buildManifest(app: App): Promise<object> {
  const [{ title, description, defaultLanguage }, icons] = await Promise.all([siteSettings(app), listIcons(app)]);
  const t = translator(chooseLocale(defaultLanguage, undefined));
  return {
    id: '/',
    name: title,
    short_name: title,
    description,
    lang: defaultLanguage,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: backgrounds.light,
    background_color: backgrounds.light,
    icons,
    screenshots: screenshots.map(({ name, sizes, form_factor }) => ({
      src: `/assets/screenshots/${name}`,
      type: 'image/webp',
      label: title,
      sizes,
      form_factor,
    })),
    shortcuts: [
      { name: t('composer.title'), url: '/publish' },
      { name: t('nav.notifications'), url: '/notifications' },
      { name: t('search.label'), url: '/search' },
    ],
    protocol_handlers: [{ protocol: 'web+mastodon', url: '/intent?uri=%s' }],
    // The service worker takes it (web/src/offline/shares.ts).
    share_target: {
      action: '/publish',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['image/*', 'video/*', 'audio/*'] }],
      },
    },
  };
}

async function listIcons(app: App): Promise<object[]> {
  const [icons, { maskable }] = await Promise.all([loadIcons(app), loadPageIcons(app)]);
  const type = 'image/png';
  return [
    ...icons.map(({ src, size }) => ({ src: src.replace(app.config.baseUrl, ''), sizes: size, type, purpose: 'any' })),
    ...(maskable === undefined ? [] : [{ src: maskable, sizes: '512x512', type, purpose: 'maskable' }]),
  ];
}
