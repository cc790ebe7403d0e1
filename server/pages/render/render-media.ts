import type { MediaAttachment } from '../../media/index.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';

interface Attachments {
  readonly media_attachments: readonly MediaAttachment[];
  readonly sensitive: boolean;
  readonly spoiler_text: string;
}

/** Renders the attachments of a post. Sensitive media is folded, unless the content warning of the post hides it. */
export function renderMedia(
  t: Translator,
  { media_attachments: all, sensitive, spoiler_text: spoiler }: Attachments,
): Html | undefined {
  if (all.length === 0) return undefined;
  const kind = `media${all.length === 1 ? ' single' : ''}`;
  const list = html`<div class="${kind}">
    ${all.map((attachment, index) => renderAttachment(t, attachment, { index: index + 1, total: all.length }))}
  </div>`;
  if (!sensitive || spoiler !== '') return list;
  return html`<details>
    <summary>${t('pages.sensitiveMedia')}</summary>
    ${list}
  </details>`;
}

interface Position {
  readonly index: number;
  readonly total: number;
}

/** Renders an attachment; one without a description is named by its position. */
export function renderAttachment(
  t: Translator,
  attachment: MediaAttachment,
  position: Position = { index: 1, total: 1 },
): Html | undefined {
  const { type, url, preview_url: preview, remote_url: remote, description } = attachment;
  const source = url ?? remote;
  if (source === null) return undefined;
  const name = (key: 'image' | 'video' | 'audio' | 'file'): string => {
    if (description !== null && description !== '') return description;
    const kind = t(`media.${key}`);
    return position.total === 1 ? t('pages.undescribed', { kind }) : t('pages.undescribedOf', { kind, ...position });
  };
  switch (type) {
    case 'image':
      return html`<a href="${source}"><img src="${preview ?? source}" alt="${name('image')}" loading="lazy" /></a>`;
    case 'gifv':
    case 'video':
      return html`<video
        src="${source}"
        controls
        preload="none"
        ${preview !== null && html` poster="${preview}"`}
        aria-label="${name('video')}"
      ></video>`;
    case 'audio':
      return html`<audio src="${source}" controls preload="none" aria-label="${name('audio')}"></audio>`;
    case 'unknown':
      return html`<p><a href="${source}" rel="noopener noreferrer nofollow">${name('file')}</a></p>`;
  }
}
