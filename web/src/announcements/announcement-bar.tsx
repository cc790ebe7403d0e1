import megaphone from '@phosphor-icons/core/regular/megaphone.svg?raw';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { AnnouncementCard } from './announcement-card.tsx';
import { announcements, followAnnouncements, loadAnnouncements } from './announcements.ts';
import './announcement-bar.css';

/** The announcements that the reader has not dismissed, folded. Nothing if there are none. */
export function AnnouncementBar() {
  useEffect(() => {
    // Home is shown without them if they cannot be loaded.
    if (announcements.peek() === undefined) loadAnnouncements().catch(() => undefined);
    return followAnnouncements();
  }, []);
  const unread = announcements.value?.filter(({ read }) => read === false) ?? [];
  if (unread.length === 0) return null;
  return (
    <details class="announcement-bar">
      <summary>
        <Icon svg={megaphone} />
        <span>{t('announcements.unread', { count: unread.length })}</span>
      </summary>
      {unread.map((announcement) => (
        <AnnouncementCard key={announcement.id} announcement={announcement} />
      ))}
      <p class="announcement-all">
        <a href="/announcements">{t('announcements.all')}</a>
      </p>
    </details>
  );
}
