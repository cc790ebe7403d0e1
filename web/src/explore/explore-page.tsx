import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { Suggestions } from '../people/index.ts';
import { SearchBox } from '../search/index.ts';
import { type TimelineSource, TimelineView } from '../timeline/index.ts';
import { Tabs } from '../ui/tabs.tsx';
import { NothingTrending } from './nothing-trending.tsx';
import { TrendingLinks } from './trending-links.tsx';
import { TrendingTags } from './trending-tags.tsx';
import './explore-page.css';

const trendingPosts: TimelineSource = { key: 'trends', path: '/api/v1/trends/statuses', context: 'public' };

/** What is popular: posts, hashtags, links and people. */
export function ExplorePage({ tab }: { readonly tab?: string }) {
  const tabs = [
    { path: '/explore', label: t('explore.posts') },
    { path: '/explore/tags', label: t('explore.tags') },
    { path: '/explore/links', label: t('explore.links') },
    { path: '/explore/people', label: t('explore.peopleTab') },
  ];
  return (
    <>
      <PageHeader title={t('nav.explore')} />
      <div class="explore-search">
        <SearchBox />
      </div>
      <Tabs label={t('nav.explore')} tabs={tabs} />
      <Content tab={tab} />
    </>
  );
}

function Content({ tab }: { readonly tab: string | undefined }) {
  switch (tab) {
    case 'tags':
      return <TrendingTags />;
    case 'links':
      return <TrendingLinks />;
    case 'people':
      return (
        <>
          <Suggestions />
          <p class="explore-end">
            <a href="/directory">{t('explore.directory')}</a>
          </p>
        </>
      );
    default:
      return <TimelineView source={trendingPosts} empty={<NothingTrending title={t('explore.postsEmpty')} />} />;
  }
}
