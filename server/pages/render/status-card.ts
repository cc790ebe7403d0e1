import { html, type Html, rawHtml } from '../../platform/http/html.ts';
import type { Status } from '../../statuses/index.ts';
import { linkCard } from './link-card.ts';
import { renderDate } from './render-date.ts';
import { renderEmojis } from './render-emojis.ts';
import { renderMedia } from './render-media.ts';
import { renderPoll } from './render-poll.ts';

type DisplayedStatus = Omit<Status, 'reblog'>;

/** Renders a post. Its content is HTML that was sanitized when it was stored. */
export function statusCard(status: Status, level: 2 | 3 = 2): Html {
  const shown: DisplayedStatus = status.reblog ?? status;
  const { account } = shown;
  const heading = `post-${status.id}`;
  const name = account.display_name === '' ? account.username : account.display_name;
  const title = html`Post by ${name}`;
  const author = renderEmojis(html`${name}`, account.emojis);
  return html`<article class="card post" aria-labelledby="${heading}">
    ${level === 2 ? html`<h2 class="offscreen" id="${heading}">${title}</h2>` : html`<h3 class="offscreen" id="${heading}">${title}</h3>`}
    ${status.reblog !== null && html`<p class="soft small">${renderEmojis(html`${status.account.display_name || status.account.username}`, status.account.emojis)} boosted</p>`}
    <div class="person">
      <img src="${account.avatar_static}" alt="" width="48" height="48" loading="lazy" />
      <p>
        <a href="${account.url}"><strong>${author}</strong></a
        ><br /><span class="soft">@${account.acct}</span>
      </p>
    </div>
    ${replyLink(shown)}${statusBody(shown)}
    <p class="soft small">
      <a href="${shown.url ?? shown.uri}">${renderDate(shown.created_at)}</a
      >${shown.edited_at !== null && html` (edited)`} · ${pluralize(shown.replies_count, 'reply', 'replies')} ·
      ${pluralize(shown.reblogs_count, 'boost', 'boosts')} ·
      ${pluralize(shown.favourites_count, 'favourite', 'favourites')}
    </p>
  </article>`;
}

/** Renders a link from a reply to its own page, which shows the posts above it. */
function replyLink(status: DisplayedStatus): Html | undefined {
  const { in_reply_to_id: parentId, in_reply_to_account_id: accountId, account, mentions } = status;
  if (parentId === null) return undefined;
  const person = mentions.find(({ id }) => id === accountId);
  const words =
    accountId === account.id ? 'Continues a thread' : person === undefined ? 'A reply' : `In reply to @${person.acct}`;
  return html`<p class="soft small"><a href="${status.url ?? status.uri}">${words}</a></p>`;
}

function statusBody(status: DisplayedStatus): Html {
  const content = html`<div class="body" lang="${status.language ?? ''}" dir="auto">
    ${renderEmojis(rawHtml(status.content), status.emojis)}
  </div>`;
  const card =
    status.card !== null && status.quote === null && status.media_attachments.length === 0 && linkCard(status.card);
  const attachments = html`${status.poll !== null && renderPoll(status.poll)}${renderMedia(status)}${card}${quotedStatus(status.quote)}`;
  if (status.spoiler_text === '') return html`${content}${attachments}`;
  return html`<details class="body">
    <summary>${renderEmojis(html`${status.spoiler_text}`, status.emojis)}</summary>
    ${content}${attachments}
  </details>`;
}

/** Renders the quoted post, or the reason why it is not shown. */
function quotedStatus(quote: Status['quote']): Html | undefined {
  if (quote === null) return undefined;
  const { quoted_status: status } = quote;
  if (status === null) return html`<p class="quoted soft">${quoteStateTexts[quote.state] ?? unavailableQuoteText}</p>`;
  const { account } = status;
  const name = html`${account.display_name === '' ? account.username : account.display_name}`;
  return html`<blockquote class="quoted" cite="${status.url ?? status.uri}">
    <p>
      <a href="${account.url}"><strong>${renderEmojis(name, account.emojis)}</strong></a>
      <span class="soft">@${account.acct}</span>
    </p>
    ${statusBody({ ...status, quote: null })}
    <p class="soft small">
      <a href="${status.url ?? status.uri}">${renderDate(status.created_at)}</a>
    </p>
  </blockquote>`;
}

const unavailableQuoteText = 'This post is not available.';
const quoteStateTexts: Partial<Record<string, string>> = {
  pending: 'The author of this post has not approved the quote yet.',
  deleted: 'This post was deleted.',
};

const pluralize = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;
