import type { TrendsLink } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { NewsCard } from './news-card.tsx';
import { NothingTrending } from './nothing-trending.tsx';

/** The links that many people share now. */
export function TrendingLinks() {
  return (
    <PagedList
      pages={usePages<TrendsLink>('/api/v1/trends/links?limit=10')}
      label={t('explore.links')}
      empty={<NothingTrending title={t('explore.linksEmpty')} />}
      keyOf={({ url }) => url}
      render={(link) => <NewsCard link={link} />}
    />
  );
}
