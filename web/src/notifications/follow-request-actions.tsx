import { request } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { storeRelationship } from '../store/relationships.ts';
import { showError } from '../ui/toasts.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';

interface FollowRequestActionsProps {
  readonly account: Account;
  readonly onDone: () => void;
}

/** Buttons that accept or reject a request to follow. */
export function FollowRequestActions({ account, onDone }: FollowRequestActionsProps) {
  const [answer, isBusy] = useSingleRun(async (verb: 'authorize' | 'reject'): Promise<void> => {
    try {
      storeRelationship(await request<Relationship>('POST', `/api/v1/follow_requests/${account.id}/${verb}`));
      onDone();
    } catch (error) {
      showError(error, () => void answer(verb));
    }
  });
  return (
    <p class="notification-actions">
      <button type="button" class="button" disabled={isBusy} onClick={() => void answer('authorize')}>
        {t('notifications.accept')}
      </button>
      <button type="button" class="button quiet" disabled={isBusy} onClick={() => void answer('reject')}>
        {t('notifications.reject')}
      </button>
    </p>
  );
}
