import type { MediaAttachment } from '../media/index.ts';
import { html, type Html, raw } from '../platform/http/html.ts';
import { withEmojis } from './show-emojis.ts';
import type { Status } from '../statuses/index.ts';

type Shown = Omit<Status, 'reblog'>;

/** A post as an article. Its content is HTML that was made safe when it was stored. */
export function statusCard(status: Status, level: 2 | 3 = 2): Html {
  const shown: Shown = status.reblog ?? status;
  const { account } = shown;
  const heading = `post-${status.id}`;
  const name = account.display_name === '' ? account.username : account.display_name;
  const title = html`Post by ${name}`;
  const author = withEmojis(html`${name}`, account.emojis);
  return html`<article class="card post" aria-labelledby="${heading}">
    ${level === 2 ? html`<h2 class="offscreen" id="${heading}">${title}</h2>` : html`<h3 class="offscreen" id="${heading}">${title}</h3>`}
    ${status.reblog !== null && html`<p class="soft small">${withEmojis(html`${status.account.display_name || status.account.username}`, status.account.emojis)} passed on</p>`}
    <div class="person">
      <img src="${account.avatar_static}" alt="" width="48" height="48" loading="lazy" />
      <p>
        <a href="${account.url}"><strong>${author}</strong></a
        ><br /><span class="soft">@${account.acct}</span>
      </p>
    </div>
    ${body(shown)}
    <p class="soft small">
      <a href="${shown.url ?? shown.uri}"><time datetime="${shown.created_at}">${readable(shown.created_at)}</time></a
      >${shown.edited_at !== null && html` (edited)`} · ${counted(shown.replies_count, 'reply', 'replies')} ·
      ${counted(shown.reblogs_count, 'boost', 'boosts')} · ${counted(shown.favourites_count, 'favourite', 'favourites')}
    </p>
  </article>`;
}

function body(status: Shown): Html {
  const content = html`<div class="body" lang="${status.language ?? ''}" dir="auto">
    ${withEmojis(raw(status.content), status.emojis)}
  </div>`;
  const attachments = html`${media(status)}${quoted(status.quote)}`;
  if (status.spoiler_text === '') return html`${content}${attachments}`;
  return html`<details class="body">
    <summary>${withEmojis(html`${status.spoiler_text}`, status.emojis)}</summary>
    ${content}${attachments}
  </details>`;
}

/** What a post quotes, as an anonymous visitor sees it; else, for what is not to be seen, a line in its place. */
function quoted(quote: Status['quote']): Html | undefined {
  if (quote === null) return undefined;
  const { quoted_status: status } = quote;
  if (status === null) return html`<p class="quoted soft">${absences[quote.state] ?? absence}</p>`;
  const { account } = status;
  const name = html`${account.display_name === '' ? account.username : account.display_name}`;
  return html`<blockquote class="quoted" cite="${status.url ?? status.uri}">
    <p>
      <a href="${account.url}"><strong>${withEmojis(name, account.emojis)}</strong></a>
      <span class="soft">@${account.acct}</span>
    </p>
    ${body({ ...status, quote: null })}
    <p class="soft small">
      <a href="${status.url ?? status.uri}"
        ><time datetime="${status.created_at}">${readable(status.created_at)}</time></a
      >
    </p>
  </blockquote>`;
}

const absence = 'This post cannot be shown here.';
const absences: Partial<Record<string, string>> = {
  pending: 'The author of this post has not agreed yet to being quoted.',
  deleted: 'This post was deleted.',
};

function media({ media_attachments: attachments, sensitive, spoiler_text: spoiler }: Shown): Html | undefined {
  if (attachments.length === 0) return undefined;
  const pictures = html`<div class="media">${attachments.map(attachment)}</div>`;
  if (!sensitive || spoiler !== '') return pictures;
  return html`<details>
    <summary>Sensitive media</summary>
    ${pictures}
  </details>`;
}

function attachment({
  type,
  url,
  preview_url: preview,
  remote_url: remote,
  description,
}: MediaAttachment): Html | undefined {
  const source = url ?? remote;
  if (source === null) return undefined;
  const words = description ?? '';
  switch (type) {
    case 'image':
      return html`<a href="${source}"><img src="${preview ?? source}" alt="${words}" loading="lazy" /></a>`;
    case 'gifv':
    case 'video':
      return html`<video
        src="${source}"
        controls
        preload="none"
        ${preview !== null && html` poster="${preview}"`}
        aria-label="${words}"
      ></video>`;
    case 'audio':
      return html`<audio src="${source}" controls preload="none" aria-label="${words}"></audio>`;
    case 'unknown':
      return html`<p>
        <a href="${source}" rel="noopener noreferrer nofollow">${words === '' ? 'Attached file' : words}</a>
      </p>`;
  }
}

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

const format = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const readable = (date: string): string => `${format.format(new Date(date))} UTC`;
