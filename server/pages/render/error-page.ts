import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { reportTemporaryFailure } from '../../platform/temporary-failures.ts';
import { renderDocument, renderNavigation, type Page, pageHeaders, renderPage } from './layout.ts';
import { Visitor, loadVisitor } from '../visitor.ts';
import type { Message } from '../../platform/i18n/message.ts';
import { findShell } from '../web/shell.ts';
import type { Translator } from '../../platform/i18n/translator.ts';

const explainedStatuses = [403, 404, 410, 422, 429, 500, 503] as const;

function buildErrorPage(t: Translator, status: number, text: Message): Page {
  const explained = explainedStatuses.find((each) => each === status);
  const title = t(`pages.error${explained ?? 422}Title`);
  const message = text.render(t.locale);
  const body = html`<div class="card">
    <h1>${title}</h1>
    <p>${explained === undefined ? message : t(`pages.error${explained}`)}</p>
    <p class="soft small">${status}: ${message}</p>
    <p><a href="/">${t('pages.goHome')}</a></p>
  </div>`;
  return { title, body, status };
}

/**
 * Returns the page of an error, with the navigation of the signed-in user. While the database is unavailable it has that
 * of an anonymous visitor. Users of the web client stay in it at an address that does not exist.
 */
export async function errorPage(
  app: App,
  request: RequestContext,
  { status, text }: { status: number; text: Message },
): Promise<HttpResponse> {
  if (status !== 503) {
    try {
      const visitor = await loadVisitor(app, request);
      const shell = status === 404 && request.method === 'GET' ? await findShell(visitor) : undefined;
      return shell === undefined ? await renderErrorPage(visitor, status, text) : withStatus(shell, status);
    } catch (error) {
      if (!reportTemporaryFailure(app, error)) {
        app.log.warn({ err: error, request: request.id }, 'an error page was sent without navigation');
      }
    }
  }
  const visitor = new Visitor(app, request);
  const document = renderDocument(buildErrorPage(visitor.t, status, text), {
    app,
    t: visitor.t,
    site: app.config.domain,
    navigation: renderNavigation(visitor),
  });
  return new HttpResponse({ status, headers: pageHeaders(app), text: document.text });
}

const withStatus = ({ headers, text = '' }: HttpResponse, status: number): HttpResponse =>
  new HttpResponse({ status, headers, text });

/** Renders an error for a visitor. */
export function renderErrorPage(visitor: Visitor, status: number, text: Message): Promise<HttpResponse> {
  return renderPage(visitor, buildErrorPage(visitor.t, status, text));
}
