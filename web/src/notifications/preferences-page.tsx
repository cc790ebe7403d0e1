import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { PolicySettings } from './policy-settings.tsx';
import { PushSettings } from './push-settings.tsx';
import './preferences-page.css';

/** The settings of notifications: which are pushed to this browser, and from which senders they are shown. */
export function NotificationPreferencesPage() {
  return (
    <>
      <PageHeader title={t('notifications.settings')} hasBack />
      <PolicySettings />
      <PushSettings />
    </>
  );
}
