import type { App } from '../platform/app.ts';
import { Answer } from '../platform/http/answers.ts';
import { html } from '../platform/http/html.ts';
import type { RequestFacts } from '../platform/http/routes.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { document, navigation, type Page, pageHeaders, render } from './layout.ts';
import { Visitor, visitorOf } from './visitor.ts';

const explanations: Record<number, { title: string; words: string }> = {
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

function pageOf(status: number, message: string): Page {
  const { title, words } = explanations[status] ?? { title: 'That did not work', words: message };
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
  request: RequestFacts,
  { status, message }: { status: number; message: string },
): Promise<Answer> {
  if (status !== 503) {
    try {
      return await renderError(await visitorOf(app, request), status, message);
    } catch (error) {
      if (!reportTemporaryFailure(app, error)) {
        app.log.warn({ err: error, request: request.id }, 'an error page was sent without navigation');
      }
    }
  }
  const visitor = new Visitor(app, request);
  const text = document(pageOf(status, message), {
    app,
    site: app.config.domain,
    navigation: navigation(visitor),
  }).text;
  return new Answer({ status, headers: pageHeaders(app), text });
}

/** An error as the answer of a page. */
export function renderError(visitor: Visitor, status: number, message: string): Promise<Answer> {
  return render(visitor, pageOf(status, message));
}
