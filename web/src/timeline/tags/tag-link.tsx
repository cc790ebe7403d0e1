import type { FieldfareTrendingTag, Tag } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { TagChart } from './tag-chart.tsx';
import { recentPeople } from './tag-history.ts';
import '../../ui/rows.css';
import './tag-link.css';

/** A hashtag as a link, with how many people used it lately and a chart of a week. */
export function TagLink({ tag }: { readonly tag: Tag | FieldfareTrendingTag }) {
  return (
    <a class="row-link tag-link" href={`/tags/${encodeURIComponent(tag.name)}`}>
      <span>
        <strong dir="auto">#{tag.name}</strong>
        <span class="soft small">{t('explore.people', { count: recentPeople(tag.history) })}</span>
        {'trend_provider' in tag && tag.trend_provider !== undefined && (
          <span class="soft small">{t('status.trendsOn', { name: tag.trend_provider })}</span>
        )}
      </span>
      <TagChart history={tag.history} />
    </a>
  );
}
