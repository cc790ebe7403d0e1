import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { SuggestionRow, Suggestions, useSuggestions } from '../people/index.ts';
import { SearchBox } from '../search/index.ts';
import { me } from '../session/session.ts';
import { type TimelineSource, TimelineView } from '../timeline/index.ts';
import '../ui/rows.css';
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
      return (
        <>
          {(me.value.following_count ?? 0) < newcomerFollows && <FirstPeople />}
          <TimelineView source={trendingPosts} empty={<NothingTrending title={t('explore.postsEmpty')} />} />
        </>
      );
  }
}

/** Who follows fewer accounts sees people before posts. */
const newcomerFollows = 10;
const shownPeople = 5;

function FirstPeople() {
  const { loaded, dismiss } = useSuggestions(3 * shownPeople);
  const people = (loaded.value ?? []).slice(0, shownPeople);
  if (people.length === 0) return null;
  return (
    <section class="explore-people" aria-label={t('explore.suggested')}>
      <h2>
        <a href="/explore/people">{t('explore.suggested')}</a>
      </h2>
      <ul class="rows">
        {people.map((suggestion) => (
          <li key={suggestion.account.id}>
            <SuggestionRow suggestion={suggestion} onDismiss={() => dismiss(suggestion)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
