import type { FieldfareTrendingTag } from '../api/entities.ts';
import { TagLink } from '../timeline/tags/index.ts';
import { t } from '../i18n/translate.tsx';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { NothingTrending } from './nothing-trending.tsx';

/** The hashtags that many people use now. */
export function TrendingTags() {
  return (
    <PagedList
      pages={usePages<FieldfareTrendingTag>('/api/v1/trends/tags?limit=20')}
      label={t('explore.tags')}
      empty={<NothingTrending title={t('explore.tagsEmpty')} />}
      keyOf={({ name }) => name}
      render={(tag) => <TagLink tag={tag} />}
    />
  );
}
