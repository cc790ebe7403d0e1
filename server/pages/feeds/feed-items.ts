import { loadMediaFiles, type MediaFile, type MediaAttachment } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { html, type Html, rawHtml } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { MediaId } from '../../platform/ids.ts';
import type { Poll } from '../../polls/index.ts';
import type { Status } from '../../statuses/index.ts';
import type { RssItem, RssMedia } from './render-rss.ts';

/** Returns the feed items of statuses, without reblogs. */
export async function buildFeedItems(app: App, t: Translator, statuses: readonly Status[]): Promise<RssItem[]> {
  const ids = statuses.flatMap(({ media_attachments: media }) => media.map(({ id }) => id));
  const files = await loadMediaFiles(app, ids);
  return statuses.map((status) => buildItem(t, status, files));
}

function buildItem(t: Translator, status: Status, files: ReadonlyMap<MediaId, MediaFile>): RssItem {
  return {
    link: status.url ?? status.uri,
    publishedAt: new Date(status.created_at),
    description: renderContent(t, status).text,
    categories: status.tags.map(({ name }) => name),
    media: status.media_attachments.flatMap(
      (attachment) => buildMedia(attachment, files.get(attachment.id), status.sensitive) ?? [],
    ),
  };
}

/** Returns the media element of a file. Undefined if the file is not ready or its type is unknown. */
function buildMedia(
  { type, url, preview_url: preview, description }: MediaAttachment,
  file: MediaFile | undefined,
  isSensitive: boolean,
): RssMedia | undefined {
  if (url === null || file?.contentType === undefined) return undefined;
  return {
    url,
    contentType: file.contentType,
    size: file.size,
    medium: mediumOf[type],
    isSensitive,
    description: description ?? '',
    thumbnail: preview === null || preview === url ? undefined : preview,
  };
}

const mediumOf = { image: 'image', gifv: 'image', video: 'video', audio: 'audio', unknown: 'document' } as const;

/** Renders a post with its content warning, poll and quote. Custom emojis stay text, because readers scale images. */
function renderContent(t: Translator, { content, spoiler_text: spoiler, poll, quote }: Status): Html {
  return html`${
    spoiler !== '' &&
    html`<p><strong>${t('pages.contentWarning')}</strong> ${spoiler}</p>
      <hr />`
  }${rawHtml(content)}${poll !== null && renderOptions(poll)}${quote !== null && renderQuote(t, quote)}`;
}

const renderOptions = ({ options }: Poll): Html =>
  html`<ul>
    ${options.map(({ title }) => html`<li>${title}</li>`)}
  </ul>`;

function renderQuote(t: Translator, { quoted_status: status }: NonNullable<Status['quote']>): Html | undefined {
  if (status === null) return undefined;
  const url = status.url ?? status.uri;
  const account = html`<a href="${url}">@${status.account.acct}</a>`;
  return html`<p>${t.html('pages.quotes', { account })}</p>`;
}
