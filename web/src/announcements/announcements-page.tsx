import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';
import { AnnouncementCard } from './announcement-card.tsx';
import { announcements, followAnnouncements, loadAnnouncements } from './announcements.ts';

/** All announcements that are published now. */
export function AnnouncementsPage() {
  const failure = useSignal<unknown>(undefined);
  const load = async (): Promise<void> => {
    failure.value = undefined;
    try {
      await loadAnnouncements();
    } catch (error) {
      failure.value = error;
    }
  };
  useEffect(() => {
    void load();
    return followAnnouncements();
  }, []);
  const list = announcements.value;
  return (
    <>
      <PageHeader title={t('announcements.title')} hasBack />
      {failure.value !== undefined ? (
        <ErrorState error={failure.value} onRetry={() => void load()} />
      ) : list === undefined ? (
        <LoadingPosts count={2} />
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
