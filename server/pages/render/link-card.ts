import type { PreviewCard } from '../../cards/index.ts';
import { html, type Html } from '../../platform/http/html.ts';

/** Renders the preview card of a link. */
export function linkCard({ url, title, description, provider_name: provider, image }: PreviewCard): Html {
  const host = URL.canParse(url) ? new URL(url).hostname : url;
  return html`<a class="link-card" href="${url}" rel="noopener noreferrer nofollow">
    ${image !== null && html`<img src="${image}" alt="" loading="lazy" />`}
    <span>
      <span class="soft small">${provider === '' ? host : provider}</span>
      <strong dir="auto">${title === '' ? url : title}</strong>
      ${description !== '' && html`<span class="soft small" dir="auto">${description}</span>`}
    </span>
  </a>`;
}
