import type { MediaAttachment } from '../../media/index.ts';
import { html, type Html } from '../../platform/http/html.ts';

interface Attachments {
  readonly media_attachments: readonly MediaAttachment[];
  readonly sensitive: boolean;
  readonly spoiler_text: string;
}

/** Renders the attachments of a post. Sensitive media is folded, unless the content warning of the post hides it. */
export function renderMedia({
  media_attachments: all,
  sensitive,
  spoiler_text: spoiler,
}: Attachments): Html | undefined {
  if (all.length === 0) return undefined;
  const kind = all.length === 1 ? 'media single' : 'media';
  const list = html`<div class="${kind}">
    ${all.map((attachment, index) => renderAttachment(attachment, positionLabel(index, all.length)))}
  </div>`;
  if (!sensitive || spoiler !== '') return list;
  return html`<details>
    <summary>Sensitive media</summary>
    ${list}
  </details>`;
}

const positionLabel = (index: number, count: number): string => (count === 1 ? '' : ` ${index + 1} of ${count}`);

/** Renders an attachment; `place` is added to the name of one without a description. */
export function renderAttachment(attachment: MediaAttachment, place = ''): Html | undefined {
  const { type, url, preview_url: preview, remote_url: remote, description } = attachment;
  const source = url ?? remote;
  if (source === null) return undefined;
  const name = (kind: string): string =>
    description === null || description === '' ? `${kind}${place} without description` : description;
  switch (type) {
    case 'image':
      return html`<a href="${source}"><img src="${preview ?? source}" alt="${name('Image')}" loading="lazy" /></a>`;
    case 'gifv':
    case 'video':
      return html`<video
        src="${source}"
        controls
        preload="none"
        ${preview !== null && html` poster="${preview}"`}
        aria-label="${name('Video')}"
      ></video>`;
    case 'audio':
      return html`<audio src="${source}" controls preload="none" aria-label="${name('Audio')}"></audio>`;
    case 'unknown':
      return html`<p><a href="${source}" rel="noopener noreferrer nofollow">${name('File')}</a></p>`;
  }
}
