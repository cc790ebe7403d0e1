import type { List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import { MediaTimeline } from './media/media-timeline.tsx';
import { MediaToggle } from './media/media-toggle.tsx';
import { mediaSourceOf, showsMedia } from './media/media-view.ts';
import { listSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';
import { TranslateTimeline } from './translation/translate-timeline.tsx';

/** The posts of the accounts of a list. */
export function ListPage({ id = '' }: { readonly id?: string }) {
  // The timeline itself shows what is wrong.
  const title = useLoaded<List>(`/api/v1/lists/${id}`).value?.title;
  const source = listSource(id);
  return (
    <>
      <PageHeader
        title={title ?? t('timeline.list')}
        hasBack
        actions={
          <>
            {!showsMedia(source) && <TranslateTimeline source={source} />}
            <MediaToggle source={source} />
          </>
        }
      />
      {showsMedia(source) ? (
        <MediaTimeline source={mediaSourceOf(source)} />
      ) : (
        <TimelineView
          source={source}
          empty={
            <EmptyState title={t('timeline.listEmpty')}>
              <a class="button" href="/lists">
                {t('nav.lists')}
              </a>
            </EmptyState>
          }
        />
      )}
    </>
  );
}
