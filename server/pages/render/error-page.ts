import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { reportTemporaryFailure } from '../../platform/temporary-failures.ts';
import { renderDocument, renderNavigation, type Page, pageHeaders, renderPage } from './layout.ts';
import { Visitor, loadVisitor } from '../visitor.ts';
import type { Message } from '../../platform/i18n/message.ts';

const errorTexts: Record<number, { title: string; words: string }> = {
  403: { title: 'Not allowed', words: 'You do not have permission to see or do this.' },
  404: {
    title: 'Page not found',
    words: 'This page does not exist, was deleted, or is not public.',
  },
  410: { title: 'Gone', words: 'This was deleted.' },
  422: {
    title: 'That did not work',
    words: 'The form has expired or is incomplete. Go back, reload the page and try again.',
  },
  429: { title: 'Too many requests', words: 'Please wait a few minutes and try again.' },
  500: {
    title: 'Something went wrong',
    words: 'The server had an unexpected error, which was logged. Please try again.',
  },
  503: { title: 'Temporarily unavailable', words: 'The server cannot respond at the moment. Please try again soon.' },
};

function buildErrorPage(status: number, message: string): Page {
  const { title, words } = errorTexts[status] ?? { title: 'That did not work', words: message };
  const body = html`<div class="card">
    <h1>${title}</h1>
    <p>${words}</p>
    <p class="soft small">${status}: ${message}</p>
    <p><a href="/">Go to the home page</a></p>
  </div>`;
  return { title, body, status };
}

/**
 * Returns the page of an error, with the navigation of the signed-in user. While the database is unavailable it has that
 * of an anonymous visitor.
 */
export async function errorPage(
  app: App,
  request: RequestContext,
  { status, text }: { status: number; text: Message },
): Promise<HttpResponse> {
  if (status !== 503) {
    try {
      return await renderErrorPage(await loadVisitor(app, request), status, text);
    } catch (error) {
      if (!reportTemporaryFailure(app, error)) {
        app.log.warn({ err: error, request: request.id }, 'an error page was sent without navigation');
      }
    }
  }
  const visitor = new Visitor(app, request);
  const document = renderDocument(buildErrorPage(status, String(text)), {
    app,
    site: app.config.domain,
    navigation: renderNavigation(visitor),
  });
  return new HttpResponse({ status, headers: pageHeaders(app), text: document.text });
}

/** Renders an error for a visitor. */
export function renderErrorPage(visitor: Visitor, status: number, text: Message): Promise<HttpResponse> {
  return renderPage(visitor, buildErrorPage(status, String(text)));
}
