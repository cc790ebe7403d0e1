import { ComposerPrompt } from '../composer/composer-prompt.tsx';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { lazyPart } from '../lazy-page.ts';
import { PendingPosts } from '../offline/pending-posts.tsx';
import { EmptyState } from '../ui/states.tsx';
import { ContinueReading } from './continue-reading.tsx';
import { homeSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

const Announcements = lazyPart(
  () => import('../announcements/announcement-bar.tsx').then((module) => module.AnnouncementBar),
  'discovery',
);

/** The posts of the accounts and hashtags that the reader follows. */
export function HomePage() {
  return (
    <>
      <PageHeader title={t('nav.home')} actions={<ContinueReading source={homeSource} />} />
      <Announcements />
      <ComposerPrompt label={t('nav.writePrompt')} start={{}} />
      <PendingPosts />
      <TimelineView
        source={homeSource}
        empty={
          <EmptyState title={t('timeline.homeEmpty')}>
            <p>{t('timeline.homeEmptyHint')}</p>
            <a class="button" href="/explore">
              {t('nav.explore')}
            </a>
          </EmptyState>
        }
      />
    </>
  );
}
