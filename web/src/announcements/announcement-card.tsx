import smiley from '@phosphor-icons/core/regular/smiley.svg?raw';
import type { Announcement } from '../api/entities.ts';
import { formatCount, locale, t } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { prepareHtml } from '../ui/prepare-html.ts';
import { Icon } from '../ui/icon.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { dismissAnnouncement, toggleReaction } from './announcements.ts';
import { ReactionPicker } from './reaction-picker.tsx';
import './announcement-card.css';

/** An announcement of the staff with its reactions. */
export function AnnouncementCard({ announcement }: { readonly announcement: Announcement }) {
  const { id, content, emojis, mentions, tags, read } = announcement;
  return (
    <article class="announcement" aria-label={t('announcements.one')}>
      <Period announcement={announcement} />
      <div
        class="status-content"
        dir="auto"
        // Sanitized by the server.
        dangerouslySetInnerHTML={{ __html: prepareHtml(content, { emojis, mentions, tags }) }}
      />
      <div class="reactions">
        <Reactions announcement={announcement} />
        {read === false && (
          <button type="button" class="button quiet dismiss" onClick={() => void dismissAnnouncement(id)}>
            {t('announcements.dismiss')}
          </button>
        )}
      </div>
    </article>
  );
}

function Reactions({ announcement: { id, reactions } }: { readonly announcement: Announcement }) {
  const max = instance.value?.configuration.reactions.max_reactions ?? 1;
  const pick = (): void =>
    openDialog((close) => (
      <ReactionPicker
        onClose={close}
        onPick={(name) => {
          close();
          void toggleReaction(id, name);
        }}
      />
    ));
  return (
    <>
      {reactions.map(({ name, count, me, static_url: image }) => (
        <button
          key={name}
          type="button"
          class="reaction"
          aria-pressed={me === true}
          aria-label={t('announcements.reaction', { name, count })}
          onClick={() => void toggleReaction(id, name)}
        >
          {image === undefined ? <span aria-hidden="true">{name}</span> : <img class="emoji" src={image} alt="" />}
          <span aria-hidden="true">{formatCount(count)}</span>
        </button>
      ))}
      {reactions.filter(({ me }) => me === true).length < max && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('announcements.react')}
          title={t('announcements.react')}
          onClick={pick}
        >
          <Icon svg={smiley} />
        </button>
      )}
    </>
  );
}

/** When the announced event is, or when the announcement was published. */
function Period({ announcement }: { readonly announcement: Announcement }) {
  const { starts_at: start, ends_at: end, all_day: isAllDay, published_at: published } = announcement;
  const hasTime = !isAllDay && (start !== null || end !== null);
  const format = new Intl.DateTimeFormat(locale.value, {
    dateStyle: 'medium',
    ...(hasTime && { timeStyle: 'short' }),
  });
  const from = start ?? published;
  if (from === null) return null;
  const text =
    start !== null && end !== null ? format.formatRange(new Date(start), new Date(end)) : format.format(new Date(from));
  return <p class="announcement-time soft small">{text}</p>;
}
