import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import { renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

/** Renders a page with a link to a page of another server. */
export function remoteLinkPage(visitor: Visitor, address: string): Promise<HttpResponse> {
  const { t } = visitor;
  return renderPage(visitor, {
    title: t('pages.otherServer'),
    body: html`<div class="card">
      <h1>${t('pages.otherServerTitle')}</h1>
      <p><a href="${address}" rel="noopener noreferrer nofollow">${address}</a></p>
    </div>`,
  });
}
