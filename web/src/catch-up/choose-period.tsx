import clock from '@phosphor-icons/core/regular/clock.svg?raw';
import door from '@phosphor-icons/core/regular/door-open.svg?raw';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { lastSeenBefore, visit } from '../session/visits.ts';
import { loadHomeMarker } from '../timeline/markers/index.ts';
import { Icon } from '../ui/icon.tsx';
import { formatMoment } from '../ui/relative-time.tsx';
import { periodHours } from './periods.ts';
import '../ui/rows.css';
import './catch-up.css';

/** Lets the reader choose how far back to catch up. */
export function ChoosePeriod() {
  useEffect(() => void loadHomeMarker(), []);
  const seen = lastSeenBefore(visit.value);
  return (
    <>
      <p class="catch-up-hint soft">{t('catchUp.hint')}</p>
      <ul class="rows" aria-label={t('catchUp.periods')}>
        <li>
          <a class="row-link" href="/catch-up?period=visit">
            <Icon svg={door} />
            <span class="catch-up-choice">
              <strong>{t('catchUp.sinceVisit')}</strong>
              {seen !== undefined && <span class="soft small">{formatMoment(seen)}</span>}
            </span>
          </a>
        </li>
        {periodHours.map((hours) => (
          <li key={hours}>
            <a class="row-link" href={`/catch-up?period=${hours}h`}>
              <Icon svg={clock} />
              <strong>
                {hours < 48 ? t('catchUp.hours', { count: hours }) : t('catchUp.days', { count: hours / 24 })}
              </strong>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
