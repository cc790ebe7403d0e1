import { useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { NotificationRequest } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { openPath } from '../navigate.ts';
import { nameOf } from '../ui/display-name.tsx';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import { NotificationGroups } from './notification-groups.tsx';
import { NotificationList } from './notification-list.ts';
import './requests-page.css';

/** The filtered notifications from one sender. */
export function RequestPage({ id = '' }: { readonly id?: string }) {
  const found = useLoaded<NotificationRequest>(`/api/v1/notifications/requests/${id}`);
  const answer = async (verb: 'accept' | 'dismiss'): Promise<void> => {
    try {
      await request('POST', `/api/v1/notifications/requests/${id}/${verb}`);
      openPath('/notifications/requests', true);
    } catch (error) {
      showError(error, () => void answer(verb));
    }
  };
  const { account } = found.value ?? {};
  const list = useMemo(
    () => (account === undefined ? undefined : new NotificationList({ accountId: account.id })),
    [account?.id],
  );
  const name = account === undefined ? '' : nameOf(account);
  return (
    <>
      <PageHeader
        title={account === undefined ? t('notifications.requests') : t('notifications.from', { name })}
        hasBack
      />
      {found.error !== undefined && <ErrorState error={found.error} onRetry={() => void found.load()} />}
      {list === undefined ? (
        found.error === undefined && <LoadingPosts />
      ) : (
        <>
          <div class="requests-tools">
            <p class="soft">{t('notifications.requestExplained')}</p>
            <button type="button" class="button" onClick={() => void answer('accept')}>
              {t('notifications.accept')}
            </button>
            <button type="button" class="button quiet" onClick={() => void answer('dismiss')}>
              {t('notifications.dismissRequest')}
            </button>
          </div>
          <NotificationGroups list={list} />
        </>
      )}
    </>
  );
}
