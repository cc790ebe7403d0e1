import { useSignal } from '@preact/signals';
import { request, withQuery } from '../../api/client.ts';
import type { AdminAccount } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { refreshStaffCounts } from '../../unread/index.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { ItemList } from '../list/item-list.tsx';
import { usePages } from '../../store/pages.ts';

/** Sign-ups that wait for approval. Several can be decided at once. */
export function SignUpsPage() {
  return (
    <ModerationPage title={t('sections.signUps')} permissions={['manage_users']}>
      <SignUps />
    </ModerationPage>
  );
}

function SignUps() {
  const list = usePages<AdminAccount>(
    withQuery('/api/v2/admin/accounts', { origin: 'local', status: 'pending', limit: 80 }),
  );
  const chosen = useSignal<readonly string[]>([]);
  const decide = async (verb: 'approve' | 'reject'): Promise<void> => {
    const ids = chosen.value;
    if (verb === 'reject' && !(await confirmRejection(ids.length))) return;
    chosen.value = [];
    let done = 0;
    for (const id of ids) {
      const restore = list.removeWhere((one) => one.id === id);
      try {
        await request('POST', `/api/v1/admin/accounts/${id}/${verb}`);
        done += 1;
      } catch (error) {
        restore();
        showError(error);
        break;
      }
    }
    void refreshStaffCounts();
    if (done > 0) showToast(t(verb === 'approve' ? 'signUps.approved' : 'signUps.rejected', { count: done }));
  };
  const items = list.items.value;
  return (
    <>
      <div class="section-box buttons">
        <button
          type="button"
          class="button quiet"
          disabled={items.length === 0}
          onClick={() => (chosen.value = chosen.value.length === items.length ? [] : items.map(({ id }) => id))}
        >
          {t('signUps.chooseAll')}
        </button>
        <button
          type="button"
          class="button"
          disabled={chosen.value.length === 0}
          onClick={() => void decide('approve')}
        >
          {t('signUps.approve', { count: chosen.value.length })}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={chosen.value.length === 0}
          onClick={() => void decide('reject')}
        >
          {t('signUps.reject', { count: chosen.value.length })}
        </button>
      </div>
      <ItemList
        list={list}
        label={t('sections.signUps')}
        empty={t('signUps.empty')}
        renderItem={(account) => (
          <SignUp
            account={account}
            isChosen={chosen.value.includes(account.id)}
            onToggle={(isChosen) =>
              (chosen.value = isChosen
                ? [...chosen.value, account.id]
                : chosen.value.filter((one) => one !== account.id))
            }
          />
        )}
      />
    </>
  );
}

const confirmRejection = (count: number): Promise<boolean> =>
  confirm({
    title: t('signUps.reject', { count }),
    text: t('signUps.rejectText', { count }),
    action: t('signUps.reject', { count }),
  });

interface SignUpProps {
  readonly account: AdminAccount;
  readonly isChosen: boolean;
  readonly onToggle: (isChosen: boolean) => void;
}

function SignUp({ account, isChosen, onToggle }: SignUpProps) {
  const { username, email, ip, invite_request: reason } = account;
  return (
    <div class="item">
      <label class="check">
        <input type="checkbox" checked={isChosen} onChange={(event) => onToggle(event.currentTarget.checked)} />
        <span class="visually-hidden">{t('signUps.choose', { name: `@${username}` })}</span>
      </label>
      <div class="item-text">
        <p class="item-title">
          <a href={`/moderation/accounts/${account.id}`} dir="ltr">
            @{username}
          </a>
        </p>
        {reason !== null && reason !== '' && <p dir="auto">{reason}</p>}
        <p class="small soft">
          {[email, ip].filter((part) => part !== null && part !== '').join(' · ')}{' '}
          <RelativeTime time={account.created_at} />
        </p>
      </div>
      {account.lacks_proof_of_work === true && <span class="tag warn">{t('staffAccounts.lacksProof')}</span>}
      {account.confirmed === false && <span class="tag warn">{t('staffAccounts.unconfirmed')}</span>}
    </div>
  );
}
