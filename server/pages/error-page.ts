import type { App } from '../platform/app.ts';
import { Answer } from '../platform/http/answers.ts';
import { html } from '../platform/http/html.ts';
import { document, type Page, pageHeaders, render } from './layout.ts';
import type { Visitor } from './visitor.ts';

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

/** An error as a page for a browser whose visitor is not known. */
export function errorPage(app: App, status: number, message: string): Answer {
  const { text } = document(pageOf(status, message), { app, site: app.config.domain, navigation: undefined });
  return new Answer({ status, headers: pageHeaders(app), text });
}

/** An error as the answer of a page. */
export function renderError(visitor: Visitor, status: number, message: string): Promise<Answer> {
  return render(visitor, pageOf(status, message));
}
