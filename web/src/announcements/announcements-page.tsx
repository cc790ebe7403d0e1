import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { AnnouncementCard } from './announcement-card.tsx';
import { announcements, followAnnouncements, loadAnnouncements } from './announcements.ts';

/** All announcements that are published now. */
export function AnnouncementsPage() {
  const loaded = useLoaded('announcements', loadAnnouncements);
  useEffect(followAnnouncements, []);
  const list = announcements.value;
  return (
    <>
      <PageHeader title={t('announcements.title')} hasBack />
      {loaded.error !== undefined || list === undefined ? (
        <NotLoaded of={loaded} count={2} />
      ) : list.length === 0 ? (
        <EmptyState title={t('announcements.empty')}>
          <p>{t('announcements.emptyHint')}</p>
        </EmptyState>
      ) : (
        list.map((announcement) => <AnnouncementCard key={announcement.id} announcement={announcement} />)
      )}
    </>
  );
}
