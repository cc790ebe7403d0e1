import { html, type Html } from '../platform/http/html.ts';
import type { Poll } from '../polls/index.ts';
import { showDate } from './show-date.ts';
import { withEmojis } from './show-emojis.ts';

/** A poll with its results as far as an anonymous visitor may see them. */
export function showPoll({ options, emojis, multiple, expired, expires_at, votes_count, voters_count }: Poll): Html {
  const total = (multiple ? voters_count : undefined) ?? votes_count;
  const people = voters_count ?? votes_count;
  const notes = [
    ...(multiple ? ['Several answers are allowed'] : []),
    `${people} ${people === 1 ? 'person' : 'people'} voted`,
  ];
  return html`<div class="poll">
    <ul>
      ${options.map(
        ({ title, votes_count: votes }) =>
          html`<li>
            <span dir="auto">${withEmojis(html`${title}`, emojis)}</span>
            ${votes !== null && result(votes, total)}
          </li>`,
      )}
    </ul>
    <p class="soft small">${notes.join(' · ')}${until(expired, expires_at)}</p>
  </div>`;
}

function result(votes: number, total: number): Html {
  const percent = total === 0 ? 0 : Math.round((votes / total) * 100);
  return html`<span class="soft">${percent} %</span
    ><meter min="0" max="100" value="${percent}" aria-hidden="true"></meter>`;
}

function until(expired: boolean, expiresAt: string | null): Html | undefined {
  if (expired) return html` · closed`;
  return expiresAt === null ? undefined : html` · open until ${showDate(expiresAt)}`;
}
