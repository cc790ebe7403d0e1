import { html, type Html } from '../../platform/http/html.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { Poll } from '../../polls/index.ts';
import { renderDate } from './render-date.ts';
import { renderEmojis } from './render-emojis.ts';

/** Renders a poll, with the results that an anonymous visitor may see. */
export function renderPoll(t: Translator, poll: Poll): Html {
  const { options, emojis, multiple, expired, expires_at, votes_count, voters_count } = poll;
  const total = (multiple ? voters_count : undefined) ?? votes_count;
  const people = voters_count ?? votes_count;
  const notes = [...(multiple ? [t('pages.multipleChoice')] : []), t('poll.voters', { count: people })];
  return html`<div class="poll">
    <ul>
      ${options.map(
        ({ title, votes_count: votes }) =>
          html`<li>
            <span dir="auto">${renderEmojis(html`${title}`, emojis)}</span>
            ${votes !== null && renderResult(votes, total)}
          </li>`,
      )}
    </ul>
    <p class="soft small">${notes.join(' · ')}${renderClosingTime(t, expired, expires_at)}</p>
  </div>`;
}

function renderResult(votes: number, total: number): Html {
  const percent = total === 0 ? 0 : Math.round((votes / total) * 100);
  return html`<span class="soft">${percent} %</span
    ><meter min="0" max="100" value="${percent}" aria-hidden="true"></meter>`;
}

function renderClosingTime(t: Translator, expired: boolean, expiresAt: string | null): Html | undefined {
  if (expired) return html` &middot; ${t('pages.pollClosed')}`;
  return expiresAt === null
    ? undefined
    : html` &middot; ${t.html('pages.pollOpenUntil', { date: renderDate(t, expiresAt) })}`;
}
