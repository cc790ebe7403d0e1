import { html, type Html, rawHtml } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { Status } from '../../statuses/index.ts';
import { linkCard } from './link-card.ts';
import { renderDate } from './render-date.ts';
import { renderEmojis } from './render-emojis.ts';
import { renderMedia } from './render-media.ts';
import { renderPoll } from './render-poll.ts';

type DisplayedStatus = Omit<Status, 'reblog'>;

/** Renders a post. Its content is HTML that was sanitized when it was stored. */
export function statusCard(t: Translator, status: Status, level: 2 | 3 = 2): Html {
  const shown: DisplayedStatus = status.reblog ?? status;
  const { account } = shown;
  const heading = `post-${status.id}`;
  const name = account.display_name === '' ? account.username : account.display_name;
  const title = t('pages.postBy', { name });
  const author = renderEmojis(html`${name}`, account.emojis);
  return html`<article class="card post" aria-labelledby="${heading}">
    ${level === 2 ? html`<h2 class="offscreen" id="${heading}">${title}</h2>` : html`<h3 class="offscreen" id="${heading}">${title}</h3>`}
    ${status.reblog !== null && html`<p class="soft small">${t.html('status.boostedBy', { name: renderEmojis(html`${status.account.display_name || status.account.username}`, status.account.emojis) })}</p>`}
    <div class="person">
      <img src="${account.avatar_static}" alt="" width="48" height="48" loading="lazy" />
      <p>
        <a href="${account.url}"><strong>${author}</strong></a
        ><br /><span class="soft" dir="ltr">@${account.acct}</span>
      </p>
    </div>
    ${replyLink(t, shown)}${statusBody(t, shown)}
    <p class="soft small">
      <a href="${shown.url ?? shown.uri}">${renderDate(t, shown.created_at)}</a
      >${shown.edited_at !== null && html` ${t('pages.edited')}`} &middot;
      ${t('pages.replies', { count: shown.replies_count })} &middot;
      ${t('status.boosts', { count: shown.reblogs_count })} &middot;
      ${t('status.favourites', { count: shown.favourites_count })}
    </p>
  </article>`;
}

/** Renders a link from a reply to its own page, which shows the posts above it. */
function replyLink(t: Translator, status: DisplayedStatus): Html | undefined {
  const { in_reply_to_id: parentId, in_reply_to_account_id: accountId, account, mentions } = status;
  if (parentId === null) return undefined;
  const person = mentions.find(({ id }) => id === accountId);
  const words =
    accountId === account.id
      ? t('status.ownThread')
      : person === undefined
        ? t('pages.aReply')
        : t('pages.inReplyToPerson', { person: `@${person.acct}` });
  return html`<p class="soft small"><a href="${status.url ?? status.uri}">${words}</a></p>`;
}

function statusBody(t: Translator, status: DisplayedStatus): Html {
  const content = html`<div class="body" lang="${status.language ?? ''}" dir="auto">
    ${renderEmojis(rawHtml(status.content), status.emojis)}
  </div>`;
  const card =
    status.card !== null && status.quote === null && status.media_attachments.length === 0 && linkCard(status.card);
  const attachments = html`${status.poll !== null && renderPoll(t, status.poll)}${renderMedia(t, status)}${card}${quotedStatus(t, status.quote)}`;
  if (status.spoiler_text === '') return html`${content}${attachments}`;
  return html`<details class="body">
    <summary>${renderEmojis(html`${status.spoiler_text}`, status.emojis)}</summary>
    ${content}${attachments}
  </details>`;
}

/** Renders the quoted post, or the reason why it is not shown. */
function quotedStatus(t: Translator, quote: Status['quote']): Html | undefined {
  if (quote === null) return undefined;
  const { quoted_status: status } = quote;
  if (status === null) return html`<p class="quoted soft">${t(quoteStateKey(quote.state))}</p>`;
  const { account } = status;
  const name = html`${account.display_name === '' ? account.username : account.display_name}`;
  return html`<blockquote class="quoted" cite="${status.url ?? status.uri}">
    <p>
      <a href="${account.url}"><strong>${renderEmojis(name, account.emojis)}</strong></a>
      <span class="soft" dir="ltr">@${account.acct}</span>
    </p>
    ${statusBody(t, { ...status, quote: null })}
    <p class="soft small">
      <a href="${status.url ?? status.uri}">${renderDate(t, status.created_at)}</a>
    </p>
  </blockquote>`;
}

function quoteStateKey(state: string): 'pages.quotePending' | 'pages.quoteDeleted' | 'pages.quoteUnavailable' {
  if (state === 'pending') return 'pages.quotePending';
  return state === 'deleted' ? 'pages.quoteDeleted' : 'pages.quoteUnavailable';
}
