import type { List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import { listSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

/** The posts of the accounts of a list. */
export function ListPage({ id = '' }: { readonly id?: string }) {
  // The timeline itself shows what is wrong.
  const title = useLoaded<List>(`/api/v1/lists/${id}`).value?.title;
  return (
    <>
      <PageHeader title={title ?? t('timeline.list')} hasBack />
      <TimelineView
        source={listSource(id)}
        empty={
          <EmptyState title={t('timeline.listEmpty')}>
            <a class="button" href="/lists">
              {t('nav.lists')}
            </a>
          </EmptyState>
        }
      />
    </>
  );
}
