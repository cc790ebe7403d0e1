import reply from '@phosphor-icons/core/regular/arrow-bend-up-left.svg?raw';
import bookmark from '@phosphor-icons/core/regular/bookmark-simple.svg?raw';
import bookmarkSet from '@phosphor-icons/core/fill/bookmark-simple-fill.svg?raw';
import repeat from '@phosphor-icons/core/regular/repeat.svg?raw';
import star from '@phosphor-icons/core/regular/star.svg?raw';
import starSet from '@phosphor-icons/core/fill/star-fill.svg?raw';
import type { Status } from '../api/entities.ts';
import { openComposerInstead } from '../composer/index.ts';
import { formatBriefly, t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { toggleFlag } from './actions.ts';
import { StatusMenu } from './status-menu.tsx';

/** The buttons below a post. */
export function StatusActions({ status }: { readonly status: Status }) {
  const { id, favourited = false, reblogged = false, bookmarked = false } = status;
  const isMine = status.account.id === me.value.id;
  const isBoostable =
    status.imported_from === undefined &&
    (status.visibility === 'public' || status.visibility === 'unlisted' || (isMine && status.visibility === 'private'));
  return (
    <footer class="status-actions">
      <a
        class="icon-button"
        data-key="r"
        href={`/publish?in_reply_to=${id}`}
        title={t('status.reply')}
        onClick={(event) => openComposerInstead(event, { inReplyTo: id }, t('status.reply'))}
      >
        <Icon svg={reply} isDirectional />
        <span class="visually-hidden">{t('status.reply')}</span>
        <Count of={status.replies_count} />
      </a>
      <button
        type="button"
        class="icon-button boost"
        data-key="b"
        aria-pressed={reblogged}
        disabled={!isBoostable}
        title={isBoostable ? t('status.boost') : t('status.cannotBoost')}
        onClick={() => void toggleFlag(id, 'reblogged')}
      >
        <Icon svg={repeat} />
        <span class="visually-hidden">{t('status.boost')}</span>
        <Count of={status.reblogs_count} />
      </button>
      <button
        type="button"
        class="icon-button favourite"
        data-key="f"
        aria-pressed={favourited}
        title={t('status.favourite')}
        onClick={() => void toggleFlag(id, 'favourited')}
      >
        <Icon svg={favourited ? starSet : star} />
        <span class="visually-hidden">{t('status.favourite')}</span>
        <Count of={status.favourites_count} />
      </button>
      <button
        type="button"
        class="icon-button bookmark"
        data-key="d"
        aria-pressed={bookmarked}
        aria-label={t('status.bookmark')}
        title={t('status.bookmark')}
        onClick={() => void toggleFlag(id, 'bookmarked')}
      >
        <Icon svg={bookmarked ? bookmarkSet : bookmark} />
      </button>
      <StatusMenu status={status} />
    </footer>
  );
}

function Count({ of }: { readonly of: number }) {
  return of === 0 ? null : <span class="count">{formatBriefly(of)}</span>;
}
