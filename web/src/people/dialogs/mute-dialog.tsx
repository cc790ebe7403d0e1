import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Account } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { nameOf } from '../../ui/display-name.tsx';
import { muteAccount } from '../relationship-actions.ts';
import '../../ui/choices.css';

const hour = 3_600;
/** In seconds; 0 is forever. */
const durations = [0, hour / 2, hour, 6 * hour, 24 * hour, 3 * 24 * hour, 7 * 24 * hour, 30 * 24 * hour] as const;

/** Asks how long an account is muted, and whether its notifications are hidden too. */
export function MuteDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const duration = useSignal(0);
  const notifications = useSignal(true);
  const durationId = useId();
  const name = nameOf(account);
  const mute = (): void => {
    onClose();
    void muteAccount(account, { duration: duration.value, notifications: notifications.value });
  };
  return (
    <Dialog
      title={t('people.muteTitle', { name })}
      size="small"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button type="button" class="button" onClick={mute}>
            {t('people.mute')}
          </button>
        </>
      }
    >
      <p>{t('people.muteText')}</p>
      <div class="field">
        <label for={durationId}>{t('people.muteDuration')}</label>
        <select
          id={durationId}
          value={String(duration.value)}
          onChange={(event) => (duration.value = Number(event.currentTarget.value))}
        >
          {durations.map((seconds) => (
            <option key={seconds} value={String(seconds)}>
              {describeDuration(seconds)}
            </option>
          ))}
        </select>
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={notifications.value}
          onChange={(event) => (notifications.value = event.currentTarget.checked)}
        />
        <span>{t('people.muteNotifications')}</span>
      </label>
    </Dialog>
  );
}

function describeDuration(seconds: number): string {
  if (seconds === 0) return t('people.untilUnmuted');
  if (seconds < hour) return t('people.minutes', { count: seconds / 60 });
  return seconds < 24 * hour
    ? t('people.hours', { count: seconds / hour })
    : t('people.days', { count: seconds / (24 * hour) });
}
