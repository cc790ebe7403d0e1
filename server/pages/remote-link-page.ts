import type { HttpResponse } from '../platform/http/http-response.ts';
import { html } from '../platform/http/html.ts';
import { renderPage } from './layout.ts';
import type { Visitor } from './visitor.ts';

/** A page that leads to one of another server. */
export function remoteLinkPage(visitor: Visitor, address: string): Promise<HttpResponse> {
  return renderPage(visitor, {
    title: 'On another page',
    body: html`<div class="card">
      <h1>This is on another page</h1>
      <p><a href="${address}" rel="noopener noreferrer nofollow">${address}</a></p>
    </div>`,
  });
}
