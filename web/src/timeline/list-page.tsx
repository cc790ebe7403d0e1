import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { listSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

/** The posts of the accounts of a list. */
export function ListPage({ id = '' }: { readonly id?: string }) {
  const title = useSignal('');
  useEffect(() => {
    // The timeline itself shows what is wrong.
    request<List>('GET', `/api/v1/lists/${id}`).then(
      (list) => (title.value = list.title),
      () => undefined,
    );
  }, [id]);
  return (
    <>
      <PageHeader title={title.value === '' ? t('timeline.list') : title.value} hasBack />
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
