import type { AccountWarning } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** The decisions about an account so far. */
export function Strikes({ strikes }: { readonly strikes: readonly AccountWarning[] }) {
  if (strikes.length === 0) return <p class="soft">{t('staffAccounts.noStrikes')}</p>;
  return (
    <ul class="notes">
      {strikes.map((strike) => (
        <li key={strike.id}>
          <strong>{t(`strike.${strike.action}`)}</strong>{' '}
          <span class="small soft">
            <RelativeTime time={strike.created_at} />
            {strike.appeal !== null && ` · ${t(`strike.appeal_${strike.appeal.state}`)}`}
          </span>
          {strike.text !== '' && <p dir="auto">{strike.text}</p>}
        </li>
      ))}
    </ul>
  );
}
