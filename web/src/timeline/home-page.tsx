import { ComposerPrompt } from '../composer/index.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { lazyPart } from '../lazy-page.ts';
import { PendingPosts } from '../offline/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { ContinueReading } from './continue-reading.tsx';
import { homeSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

const Announcements = lazyPart(
  () => import('../announcements/index.ts').then((module) => module.AnnouncementBar),
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
