import sliders from '@phosphor-icons/core/regular/sliders-horizontal.svg?raw';
import { ComposerPrompt } from '../composer/index.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { lazyPart } from '../lazy-page.ts';
import { PendingPosts } from '../offline/index.ts';
import { Icon } from '../ui/icon.tsx';
import { CatchUpBar } from './catch-up-bar.tsx';
import { ContinueReading } from './continue-reading.tsx';
import { homeSource } from './sources.ts';
import { TranslateTimeline } from './translation/translate-timeline.tsx';
import { TimelineView } from './timeline-view.tsx';

const Announcements = lazyPart(
  () => import('../announcements/index.ts').then((module) => module.AnnouncementBar),
  'discovery',
);

const FirstSteps = lazyPart(
  () => import('../welcome/index.ts').then((module) => module.FirstSteps),
  'discovery',
  'people',
);

/** The posts of the accounts and hashtags that the reader follows. */
export function HomePage() {
  return (
    <>
      <PageHeader
        title={t('nav.home')}
        actions={
          <>
            <TranslateTimeline source={homeSource} />
            <ContinueReading source={homeSource} />
            <ArrangeTabs />
          </>
        }
      />
      <HomePosts />
    </>
  );
}

/** The button that leads to the tabs of home. */
export const ArrangeTabs = () => (
  <a class="icon-button" href="/preferences/columns" aria-label={t('tabs.arrange')} title={t('tabs.arrange')}>
    <Icon svg={sliders} />
  </a>
);

/** Home below its header. */
export function HomePosts() {
  return (
    <>
      <Announcements />
      <ComposerPrompt label={t('nav.writePrompt')} start={{}} />
      <PendingPosts />
      <CatchUpBar />
      <TimelineView source={homeSource} empty={<FirstSteps />} />
    </>
  );
}
