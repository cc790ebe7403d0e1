import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { HttpResponse, JsonText } from '../http/http-response.ts';
import { get, type Route } from '../http/routes.ts';
import { renderExplorerPage } from './explorer-page.ts';
import { buildOpenApi, type ApiInfo } from './openapi.ts';

const readAsset = (name: string): Buffer => readFileSync(join(import.meta.dirname, name));

/** The explorer runs its own script only, which talks to this server only. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=300',
};

/** The routes that show what the other routes are: the OpenAPI document and a page to browse and try it. */
export function documentationRoutes(
  routes: readonly Route[],
  { version, describeScopes }: { readonly version: string; readonly describeScopes: () => ApiInfo['scopes'] },
): Route[] {
  const texts = new WeakMap<Config, string>();
  return [
    get('/api/openapi.json', {
      summary: 'Get this document',
      access: 'anyone',
      openInLimitedFederation: true,
      undocumented: true,
      response: Type.Object({}, { additionalProperties: true }),
      handle({ app }) {
        let text = texts.get(app.config);
        if (text === undefined) {
          const { baseUrl: url } = app.config;
          text = JSON.stringify(buildOpenApi(routes, { version, scopes: describeScopes(), title: 'Fieldfare', url }));
          texts.set(app.config, text);
        }
        return new HttpResponse({ json: new JsonText(text), headers: { 'cache-control': 'public, max-age=300' } });
      },
    }),
    get('/api/docs', {
      summary: 'Show the API explorer',
      access: 'page',
      undocumented: true,
      response: Type.Any(),
      handle: () => new HttpResponse({ text: renderExplorerPage(routes).text, headers: pageHeaders }),
    }),
    assetRoute('/api/docs/explorer.css', 'explorer.css', 'text/css; charset=utf-8'),
    assetRoute('/api/docs/explorer.js', 'explorer.js', 'text/javascript; charset=utf-8'),
  ];
}

function assetRoute(path: string, file: string, contentType: string): Route {
  const body = readAsset(file);
  return get(path, {
    summary: 'Get an asset of the API explorer',
    access: 'page',
    undocumented: true,
    rateLimit: 'none',
    response: Type.Any(),
    handle: () =>
      new HttpResponse({
        text: body,
        headers: {
          'content-type': contentType,
          'x-content-type-options': 'nosniff',
          'cache-control': 'public, max-age=300',
        },
      }),
  });
}
