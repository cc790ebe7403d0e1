import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Context, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { StatusCard } from '../status/status-card.tsx';
import { storeStatus, storeStatuses } from '../store/statuses.ts';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';

interface Thread {
  readonly ancestors: readonly string[];
  readonly descendants: readonly string[];
}

/** A post with what it answers and its replies. */
export function ThreadPage({ id = '' }: { readonly id?: string }) {
  const state = useMemo(() => signal<Thread | 'loading' | { readonly error: unknown }>('loading'), [id]);
  const load = async (): Promise<void> => {
    state.value = 'loading';
    try {
      const [status, context] = await Promise.all([
        request<Status>('GET', `/api/v1/statuses/${id}`),
        request<Context>('GET', `/api/v1/statuses/${id}/context`),
      ]);
      storeStatus(status);
      storeStatuses([...context.ancestors, ...context.descendants]);
      state.value = {
        ancestors: context.ancestors.map((one) => one.id),
        descendants: context.descendants.map((one) => one.id),
      };
    } catch (error) {
      state.value = { error };
    }
  };
  useEffect(() => void load(), [id]);
  const thread = state.value;
  return (
    <>
      <PageHeader title={t('thread.title')} hasBack />
      {thread === 'loading' ? (
        <LoadingPosts count={3} />
      ) : 'error' in thread ? (
        <ErrorState error={thread.error} onRetry={() => void load()} />
      ) : (
        <>
          {thread.ancestors.map((ancestor) => (
            <StatusCard key={ancestor} id={ancestor} />
          ))}
          <StatusCard key={id} id={id} isMain />
          {thread.descendants.map((descendant) => (
            <StatusCard key={descendant} id={descendant} />
          ))}
        </>
      )}
    </>
  );
}
