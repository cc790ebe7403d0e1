import { useEffect } from 'preact/hooks';
import type { Account, Notification } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { me } from '../session/session.ts';
import { nameOf } from '../ui/display-name.tsx';
import { EmptyState } from '../ui/states.tsx';
import { AccountRow } from './account-row.tsx';
import { answerFollowRequest, countFollowRequests } from './follow-request-actions.ts';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';

/** The accounts that ask to follow the reader. New requests appear while the page is open. */
export function FollowRequestsPage() {
  const list = usePages<Account>('/api/v1/follow_requests');
  useEffect(
    () =>
      subscribe(
        { stream: 'user' },
        {
          onEvent: ({ event, payload = '{}' }) => {
            if (event !== 'notification') return;
            if ((JSON.parse(payload) as Partial<Notification>).type !== 'follow_request') return;
            countFollowRequests(1);
            void list.load();
          },
          onOpen: () => void list.load(),
        },
      ),
    [list],
  );
  const count = me.value.source.follow_requests_count;
  const answer = async (account: Account, answerWith: 'authorize' | 'reject'): Promise<void> => {
    if (await answerFollowRequest(account, answerWith)) list.removeWhere(({ id }) => id === account.id);
  };
  return (
    <>
      <PageHeader title={t('people.followRequests')} hasBack />
      <p class="page-intro soft" role="status">
        {me.value.locked ? t('people.requestCount', { count }) : t('people.notLocked')}
      </p>
      <PagedList
        hasLines
        pages={list}
        label={t('people.followRequests')}
        empty={<EmptyState title={t('people.noFollowRequests')} />}
        keyOf={({ id }) => id}
        render={(account) => (
          <AccountRow
            account={account}
            actions={
              <>
                <button
                  type="button"
                  class="button"
                  aria-label={t('people.acceptName', { name: nameOf(account) })}
                  onClick={() => void answer(account, 'authorize')}
                >
                  {t('people.accept')}
                </button>
                <button
                  type="button"
                  class="button quiet"
                  aria-label={t('people.rejectName', { name: nameOf(account) })}
                  onClick={() => void answer(account, 'reject')}
                >
                  {t('people.reject')}
                </button>
              </>
            }
          />
        )}
      />
    </>
  );
}
