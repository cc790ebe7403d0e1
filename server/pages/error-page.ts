import type { App } from '../platform/app.ts';
import { HttpResponse } from '../platform/http/http-response.ts';
import { html } from '../platform/http/html.ts';
import type { RequestContext } from '../platform/http/routes.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { renderDocument, renderNavigation, type Page, pageHeaders, renderPage } from './layout.ts';
import { Visitor, loadVisitor } from './visitor.ts';

const errorTexts: Record<number, { title: string; words: string }> = {
  403: { title: 'Not allowed', words: 'You may not see or do this.' },
  404: {
    title: 'Not here',
    words: 'There is no such page: it never was, it is gone, or it is not for everybody to see.',
  },
  410: { title: 'Gone', words: 'This is gone for good.' },
  422: {
    title: 'That did not work',
    words: 'The form was too old or not complete. Go back, load the page again and try once more.',
  },
  429: { title: 'Too many tries', words: 'Please wait a few minutes, then try again.' },
  500: { title: 'Our mistake', words: 'Something went wrong on our side. It was written down; please try again.' },
  503: { title: 'Not right now', words: 'The server cannot answer at the moment. Please try again soon.' },
};

function buildErrorPage(status: number, message: string): Page {
  const { title, words } = errorTexts[status] ?? { title: 'That did not work', words: message };
  const body = html`<div class="card">
    <h1>${title}</h1>
    <p>${words}</p>
    <p class="soft small">${status}: ${message}</p>
    <p><a href="/">To the start page</a></p>
  </div>`;
  return { title, body, status };
}

/**
 * Returns the page of an error for a browser, with the navigation of whoever is signed in there. While the database is
 * away it shows the navigation of an anonymous visitor.
 */
export async function errorPage(
  app: App,
  request: RequestContext,
  { status, message }: { status: number; message: string },
): Promise<HttpResponse> {
  if (status !== 503) {
    try {
      return await renderErrorPage(await loadVisitor(app, request), status, message);
    } catch (error) {
      if (!reportTemporaryFailure(app, error)) {
        app.log.warn({ err: error, request: request.id }, 'an error page was sent without navigation');
      }
    }
  }
  const visitor = new Visitor(app, request);
  const text = renderDocument(buildErrorPage(status, message), {
    app,
    site: app.config.domain,
    navigation: renderNavigation(visitor),
  }).text;
  return new HttpResponse({ status, headers: pageHeaders(app), text });
}

/** An error as the answer of a page. */
export function renderErrorPage(visitor: Visitor, status: number, message: string): Promise<HttpResponse> {
  return renderPage(visitor, buildErrorPage(status, message));
}
