import type { NotificationPolicy } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { ErrorState } from '../ui/states.tsx';
import { usePatch } from '../ui/use-changes.ts';
import { useLoaded } from '../ui/use-loaded.tsx';
import './settings-section.css';

const senders = [
  'for_not_following',
  'for_not_followers',
  'for_new_accounts',
  'for_private_mentions',
  'for_limited_accounts',
  'for_bots',
] as const satisfies readonly (keyof NotificationPolicy)[];
const path = '/api/v2/notifications/policy';
const actions = ['accept', 'filter', 'drop'] as const;
type Action = (typeof actions)[number];

/** Chooses for each kind of sender whether its notifications are shown, filtered or ignored. */
export function PolicySettings() {
  const policy = useLoaded<NotificationPolicy>(path);
  const change = usePatch(path, policy);
  const shown = policy.value;
  return (
    <section class="settings-section" aria-labelledby="policy-title">
      <h2 id="policy-title">{t('notificationPolicy.title')}</h2>
      <p class="soft">{t('notificationPolicy.hint')}</p>
      {policy.error !== undefined && <ErrorState error={policy.error} onRetry={() => void policy.load()} />}
      {shown !== undefined &&
        senders.map((sender) => (
          <div key={sender} class="policy-row">
            <label for={sender}>
              {t(`notificationPolicy.${sender}`)}
              <small class="soft">{t(`notificationPolicy.${sender}_hint`)}</small>
            </label>
            <select
              id={sender}
              value={shown[sender]}
              onChange={({ currentTarget }) => void change({ [sender]: currentTarget.value as Action })}
            >
              {actions.map((action) => (
                <option key={action} value={action}>
                  {t(`notificationPolicy.${action}`)}
                </option>
              ))}
            </select>
          </div>
        ))}
      <p>
        <a href="/notifications/requests">
          {t('notificationPolicy.requests', { count: shown?.summary.pending_requests_count ?? 0 })}
        </a>
      </p>
    </section>
  );
}
