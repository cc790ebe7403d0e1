import type { Answer } from '../platform/http/answers.ts';
import { html } from '../platform/http/html.ts';
import { render } from './layout.ts';
import type { Visitor } from './visitor.ts';

/** A page that leads to one of another server. */
export function elsewhereLink(visitor: Visitor, address: string): Promise<Answer> {
  return render(visitor, {
    title: 'On another page',
    body: html`<div class="card">
      <h1>This is on another page</h1>
      <p><a href="${address}" rel="noopener noreferrer nofollow">${address}</a></p>
    </div>`,
  });
}
