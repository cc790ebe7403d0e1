import { t } from '../i18n/translate.tsx';
import { PolicySettings, PushSettings } from '../notifications/index.ts';
import { PreferenceFrame } from './preference-frame.tsx';

/** The settings of notifications: which are pushed to this browser, and from which senders they are shown. */
export function NotificationsPage() {
  return (
    <PreferenceFrame title={t('notifications.settings')}>
      <PolicySettings />
      <PushSettings />
    </PreferenceFrame>
  );
}
