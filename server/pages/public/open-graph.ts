import { html, type Html } from '../../platform/http/html.ts';
import { htmlToText } from '../../text/index.ts';

/** The preview that other sites and apps show for a link to a page. */
export interface OpenGraphPreview {
  readonly type: 'profile' | 'article';
  readonly title: string;
  /** HTML or text; truncated to 300 characters. */
  readonly description: string;
  readonly url: string;
  readonly image: string | undefined;
  readonly site: string;
}

/** Renders the OpenGraph elements of a public page. */
export function openGraph({ type, title, description, url, image, site }: OpenGraphPreview): Html {
  const text = truncateDescription(htmlToText(description));
  const properties: [string, string | undefined][] = [
    ['og:type', type],
    ['og:site_name', site],
    ['og:title', title],
    ['og:description', text],
    ['og:url', url],
    ['og:image', image],
  ];
  return html`<meta name="description" content="${text}" /><link rel="canonical" href="${url}" />
    ${properties.map(([name, content]) => content !== undefined && html`<meta property="${name}" content="${content}" />`)}`;
}

const maxDescriptionLength = 300;

function truncateDescription(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxDescriptionLength
    ? line
    : `${characters.slice(0, maxDescriptionLength - 1).join('')}…`;
}
