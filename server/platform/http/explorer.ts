import { Type } from 'typebox';
import { Answer, JsonText } from './answers.ts';
import { html, raw, type Html } from './html.ts';
import { openApi } from './openapi.ts';
import { get, type Route } from './routes.ts';

/** The routes that show what the other routes are: the OpenAPI document and a page to browse it. */
export function documentationRoutes(routes: readonly Route[], version: string): Route[] {
  let text: string | undefined;
  return [
    get('/api/openapi.json', {
      summary: 'This document',
      access: 'anyone',
      evenLimited: true,
      undocumented: true,
      response: Type.Object({}, { additionalProperties: true }),
      handle({ app }) {
        text ??= JSON.stringify(openApi(routes, { title: 'Fieldfare', version, url: app.config.baseUrl }));
        return new Answer({ json: new JsonText(text), headers: { 'cache-control': 'public, max-age=300' } });
      },
    }),
    get('/api/docs', {
      summary: 'A page to browse the interface',
      access: 'page',
      undocumented: true,
      response: Type.Any(),
      handle: () =>
        new Answer({
          text: explorerPage(routes).text,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy':
              "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
            'x-content-type-options': 'nosniff',
            'x-frame-options': 'DENY',
            'referrer-policy': 'no-referrer',
            'cache-control': 'public, max-age=300',
          },
        }),
    }),
  ];
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 56rem; margin: 0 auto; padding: 1rem; }
details { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: .5rem; margin: .35rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; display: flex; gap: .75rem; flex-wrap: wrap; align-items: baseline; }
code { font-family: ui-monospace, monospace; } .method { font-weight: 700; min-width: 4.5rem; } .note { opacity: .75; }
table { border-collapse: collapse; width: 100%; } td { padding: .15rem .6rem .15rem 0; vertical-align: top; }
`;

/** The interface as a page without scripts: one entry a route, opened to see its parameters. */
function explorerPage(routes: readonly Route[]): Html {
  const shown = routes.filter(({ options }) => options.access !== 'page' && options.undocumented !== true);
  const groups = Map.groupBy(shown, ({ path }) => path.split('/')[3] ?? path.split('/')[1] ?? '');
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>The interface of Fieldfare</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <h1>The interface</h1>
        <p>
          ${shown.length} operations, from the <a href="/api/openapi.json">OpenAPI document</a>. Parameters may come as
          query, form, multipart or JSON.
        </p>
        ${[...groups].map(
          ([name, members]) =>
            html`<h2>${name}</h2>
              ${members.map(entry)}`,
        )}
      </body>
    </html>`;
}

function entry({ method, path, options }: Route): Html {
  const required = new Set((options.input as { required?: string[] } | undefined)?.required);
  const fields = Object.entries((options.input?.properties ?? {}) as Record<string, { type?: string }>);
  return html`<details>
    <summary>
      <code class="method">${method}</code> <code>${path}</code> <span class="note">${options.summary}</span>
    </summary>
    <p>
      Access: ${options.access}${options.scope === undefined ? '' : `; scope ${options.scope.replaceAll('|', ' or ')}`}
    </p>
    ${
      fields.length > 0 &&
      html`<table>
        ${fields.map(
          ([name, { type }]) =>
            html`<tr>
              <td><code>${name}</code></td>
              <td>${type ?? ''}</td>
              <td>${required.has(name) ? 'required' : ''}</td>
            </tr>`,
        )}
      </table>`
    }
  </details>`;
}
