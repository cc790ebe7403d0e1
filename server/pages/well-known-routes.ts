import { Type } from 'typebox';
import { HttpResponse, redirect } from '../platform/http/http-response.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { loadPageIcons } from '../instance/images/index.ts';
import { bundledImage } from '../media/index.ts';
import { siteSettings } from '../site/index.ts';

const fileRouteOptions = { access: 'page', undocumented: true, rateLimit: 'none', response: Type.Any() } as const;
const dayMs = 86_400_000;
const cacheHeaders = { 'cache-control': 'public, max-age=3600' };

/** Files with well-known URLs for browsers, password managers, crawlers and security researchers. */
export const wellKnownRoutes: readonly Route[] = [
  get('/robots.txt', {
    summary: 'Get the rules for crawlers',
    ...fileRouteOptions,
    handle: () =>
      new HttpResponse({
        headers: { 'content-type': 'text/plain; charset=utf-8', ...cacheHeaders },
        text: [
          'User-agent: GPTBot',
          'Disallow: /',
          '',
          'User-agent: *',
          ...[
            '/api/',
            '/auth/',
            '/authorize_interaction',
            '/intent',
            '/media_proxy/',
            '/oauth/',
            '/share',
            '/setup',
          ].map((path) => `Disallow: ${path}`),
          '',
        ].join('\n'),
      }),
  }),

  get('/.well-known/change-password', {
    summary: 'Redirect password managers to the settings page',
    ...fileRouteOptions,
    handle: () => redirect('/auth/edit'),
  }),

  interactionRedirectRoute('/.well-known/proxy', 'Redirect links of protocol handlers to the page for interactions'),
  interactionRedirectRoute('/authorize_follow', 'Redirect links of old servers to the page for interactions'),

  get('/.well-known/security.txt', {
    summary: 'Show where to report a vulnerability (RFC 9116)',
    ...fileRouteOptions,
    async handle({ app }) {
      const { contactEmail } = await siteSettings(app);
      const { baseUrl } = app.config;
      // RFC 9116 recommends an expiry of less than a year. A whole day keeps the file the same between requests.
      const expires = new Date(Math.floor(app.clock.now().getTime() / dayMs + 180) * dayMs).toISOString();
      const lines = [
        `Contact: ${contactEmail === '' ? `${baseUrl}/about` : `mailto:${contactEmail}`}`,
        `Expires: ${expires}`,
        'Preferred-Languages: en',
        `Canonical: ${baseUrl}/.well-known/security.txt`,
        '',
      ];
      return new HttpResponse({
        headers: { 'content-type': 'text/plain; charset=utf-8', ...cacheHeaders },
        text: lines.join('\n'),
      });
    },
  }),

  iconRoute('/favicon.ico', 'favicon', 'image/vnd.microsoft.icon'),
  iconRoute('/apple-touch-icon.png', 'touch', 'image/png'),
];

/** Serves the bundled icon at the URL that browsers and feed readers know, or redirects to the one that staff chose. */
function iconRoute(path: string, name: 'favicon' | 'touch', contentType: string): Route {
  return get(path, {
    summary: 'Get the icon of the site',
    ...fileRouteOptions,
    async handle({ app }) {
      const url = (await loadPageIcons(app))[name];
      if (url === path) return bundledImage(app, path.slice(1), contentType, 3600);
      return new HttpResponse({ status: 302, headers: { location: url, ...cacheHeaders } });
    },
  });
}

/** Redirects to the page for interactions, with the query as it is. */
function interactionRedirectRoute(path: string, summary: string): Route {
  return get(path, {
    summary,
    ...fileRouteOptions,
    handle({ request }) {
      const { search } = new URL(request.url, 'https://any.invalid');
      return redirect(`/authorize_interaction${search}`, 301);
    },
  });
}
