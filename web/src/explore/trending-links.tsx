import type { TrendsLink } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { EmptyState } from '../ui/states.tsx';
import { NewsCard } from './news-card.tsx';

/** The links that many people share now. */
export function TrendingLinks() {
  return (
    <PagedList
      pages={usePages<TrendsLink>('/api/v1/trends/links?limit=10')}
      label={t('explore.links')}
      empty={
        <EmptyState title={t('explore.linksEmpty')}>
          <p>{t('explore.emptyHint')}</p>
        </EmptyState>
      }
      keyOf={({ url }) => url}
      render={(link) => <NewsCard link={link} />}
    />
  );
}
