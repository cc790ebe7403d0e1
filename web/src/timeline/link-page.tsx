import { useLocation } from 'preact-iso';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { linkSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

/** The public posts about a link: /links?url=… */
export function LinkPage() {
  const { query } = useLocation();
  const url = /^https?:/i.test(query['url'] ?? '') ? (query['url'] ?? '') : '';
  return (
    <>
      <PageHeader title={t('timeline.link')} hasBack />
      <p class="timeline-link">
        <a href={url} target="_blank" rel="nofollow noopener noreferrer" dir="ltr">
          {url}
        </a>
      </p>
      <TimelineView source={linkSource(url)} empty={<EmptyState title={t('timeline.linkEmpty')} />} />
    </>
  );
}
