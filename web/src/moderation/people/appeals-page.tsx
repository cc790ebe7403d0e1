import { request, withQuery } from '../../api/client.ts';
import type { FieldfareAdminAppeal } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { refreshStaffCounts } from '../../unread/index.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { FilterBar, useFilters } from '../list/filters.tsx';
import { ItemList } from '../list/item-list.tsx';
import { type Pages, usePages } from '../../store/pages.ts';

/** What users object to decisions. */
export function AppealsPage() {
  return (
    <ModerationPage title={t('sections.appeals')} permissions={['manage_appeals']}>
      <Appeals />
    </ModerationPage>
  );
}

function Appeals() {
  const of = useFilters({ state: 'pending' });
  const { values } = of;
  const list = usePages<FieldfareAdminAppeal>(withQuery('/api/v1/fieldfare/admin/appeals', values));
  return (
    <>
      <FilterBar
        label={t('moderation.filters')}
        of={of}
        filters={[{ name: 'state', label: t('staffAccounts.state'), options: decisionStates() }]}
      />
      <ItemList
        list={list}
        label={t('sections.appeals')}
        empty={t('appeals.empty')}
        renderItem={(appeal) => <Appeal appeal={appeal} list={list} />}
      />
    </>
  );
}

/** Returns the states of what staff decide, as options of a filter. */
export const decisionStates = () => [
  { value: 'pending', label: t('appeals.pending') },
  { value: 'approved', label: t('appeals.approved') },
  { value: 'rejected', label: t('appeals.rejected') },
];

interface AppealProps {
  readonly appeal: FieldfareAdminAppeal;
  readonly list: Pages<FieldfareAdminAppeal>;
}

function Appeal({ appeal, list }: AppealProps) {
  const { strike } = appeal;
  const decide = async (verb: 'approve' | 'reject'): Promise<void> => {
    const restore = list.removeWhere(({ id }) => id === appeal.id);
    try {
      await request('POST', `/api/v1/fieldfare/admin/appeals/${appeal.id}/${verb}`);
      void refreshStaffCounts();
      showToast(t(verb === 'approve' ? 'appeals.approved' : 'appeals.rejected'));
    } catch (error) {
      restore();
      showError(error, () => void decide(verb));
    }
  };
  return (
    <div class="item">
      <div class="item-text">
        <p class="item-title">
          <a href={`/moderation/accounts/${strike.target_account.id}`} dir="ltr">
            @{strike.target_account.acct}
          </a>{' '}
          <span class="tag warn">{t(`strike.${strike.action}`)}</span>
        </p>
        {strike.text !== '' && (
          <p class="small soft" dir="auto">
            {strike.text}
          </p>
        )}
        <p dir="auto">{appeal.text}</p>
        <p class="small soft">
          <RelativeTime time={appeal.created_at} />
        </p>
      </div>
      {appeal.state === 'pending' && (
        <div class="item-actions">
          <button type="button" class="button" title={t('appeals.approveHint')} onClick={() => void decide('approve')}>
            {t('appeals.approve')}
          </button>
          <button type="button" class="button quiet" onClick={() => void decide('reject')}>
            {t('appeals.reject')}
          </button>
        </div>
      )}
    </div>
  );
}
