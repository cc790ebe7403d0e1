import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { publicSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';
import { TranslateTimeline } from './translation/translate-timeline.tsx';

const emptyTitles = {
  all: 'timeline.publicEmpty',
  local: 'timeline.localEmpty',
  remote: 'timeline.remoteEmpty',
} as const;

/** Public posts: of this server, of other servers, or all. */
export function PublicPage({ origin }: { readonly origin?: string }) {
  const shown = origin === 'local' || origin === 'remote' ? origin : 'all';
  const tabs = [
    { path: '/public/local', label: t('timeline.local') },
    { path: '/public/remote', label: t('timeline.remote') },
    { path: '/public', label: t('timeline.all') },
  ];
  const source = publicSource(shown);
  return (
    <>
      <PageHeader title={t('nav.live')} actions={<TranslateTimeline source={source} />} />
      <Tabs label={t('nav.live')} tabs={tabs} />
      <TimelineView source={source} empty={<EmptyState title={t(emptyTitles[shown])} />} />
    </>
  );
}
