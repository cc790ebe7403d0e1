import clock from '@phosphor-icons/core/regular/clock-counter-clockwise.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { t } from '../i18n/translate.tsx';
import { endAbsence, isLongAbsence, lastSeenBefore, visit } from '../session/visits.ts';
import { statusOf } from '../store/statuses.ts';
import { Icon } from '../ui/icon.tsx';
import { formatMoment } from '../ui/relative-time.tsx';
import { dismissOffer } from './markers/markers.ts';
import { homeSource } from './sources.ts';
import { idsOf } from './timeline-items.ts';
import { timelineOf } from './timeline.ts';
import './catch-up-bar.css';

/** After an absence of hours: how many posts are newer, and the way to catch up on them. It is there at the first paint. */
export function CatchUpBar() {
  const since = lastSeenBefore(visit.value);
  if (since === undefined || !isLongAbsence(visit.value)) return null;
  const home = timelineOf(homeSource);
  const ids = idsOf(home.items.value);
  const count = ids.filter((id) => Date.parse(statusOf(id).value?.created_at ?? '') > since).length;
  if (count === 0 && home.state.value === 'ready') return null;
  const isMore = count === ids.length && !home.isComplete.value;
  const time = formatMoment(since);
  return (
    <div class="catch-up-bar">
      <a href="/catch-up?period=visit">
        <Icon svg={clock} />
        <span>
          {count === 0
            ? t('catchUpBar.since', { time })
            : t(isMore ? 'catchUpBar.postsAndMore' : 'catchUpBar.posts', { count, time })}{' '}
          <strong>{t('catchUpBar.action')}</strong>
        </span>
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label={t('catchUpBar.dismiss')}
        onClick={() => {
          endAbsence();
          dismissOffer();
        }}
      >
        <Icon svg={x} />
      </button>
    </div>
  );
}
