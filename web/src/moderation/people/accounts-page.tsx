import { withQuery } from '../../api/client.ts';
import type { AdminAccount } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { DisplayName } from '../../ui/display-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { listStates } from '../accounts/account-facts.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';
import type { Filter } from '../list/filter-values.ts';
import { FilterBar, useFilters } from '../list/filters.tsx';
import { ItemList } from '../list/item-list.tsx';
import { usePages } from '../../store/pages.ts';

const defaults = { origin: 'local', status: '', permissions: '', username: '', email: '', by_domain: '', ip: '' };

/** The accounts that the server knows, with filters. */
export function AccountsPage() {
  return (
    <ModerationPage title={t('sections.accounts')} permissions={['manage_users']}>
      <Accounts />
    </ModerationPage>
  );
}

function Accounts() {
  const of = useFilters(defaults);
  const { values } = of;
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const list = usePages<AdminAccount>(withQuery('/api/v2/admin/accounts', { ...query, limit: 40 }));
  return (
    <>
      <FilterBar label={t('moderation.filters')} filters={filters()} of={of} />
      <ItemList
        list={list}
        label={t('sections.accounts')}
        empty={t('staffAccounts.noneMatch')}
        renderItem={(account) => <AccountRow account={account} />}
      />
    </>
  );
}

function AccountRow({ account }: { readonly account: AdminAccount }) {
  const { account: profile, email, ip } = account;
  return (
    <a class="item" href={`/moderation/accounts/${account.id}`}>
      <Avatar account={profile} size={40} />
      <div class="item-text">
        <p class="item-title">
          <DisplayName account={profile} />{' '}
          <span class="soft" dir="ltr">
            @{profile.acct}
          </span>
        </p>
        <p class="small soft">
          {[email, ip]
            .filter((part) => part !== null && part !== '')
            .map((part) => (
              <span key={part}>
                <bdi>{part}</bdi> ·{' '}
              </span>
            ))}
          <RelativeTime time={account.created_at} />
        </p>
      </div>
      <span class="tags">
        {account.role !== null && account.role.name !== '' && <span class="tag">{account.role.name}</span>}
        {listStates(account).map((state) => (
          <span key={state} class="tag strong">
            {state}
          </span>
        ))}
      </span>
    </a>
  );
}

function filters(): readonly Filter[] {
  const all = { value: '', label: t('moderation.all') };
  return [
    {
      name: 'origin',
      label: t('moderation.origin'),
      options: [
        { value: 'local', label: t('moderation.local') },
        { value: 'remote', label: t('moderation.remote') },
      ],
    },
    {
      name: 'status',
      label: t('staffAccounts.state'),
      options: [
        all,
        { value: 'active', label: t('staffAccounts.active') },
        { value: 'pending', label: t('staffAccounts.pending') },
        { value: 'disabled', label: t('staffAccounts.disabled') },
        { value: 'silenced', label: t('staffAccounts.silenced') },
        { value: 'sensitized', label: t('staffAccounts.sensitized') },
        { value: 'suspended', label: t('staffAccounts.suspended') },
      ],
    },
    {
      name: 'permissions',
      label: t('staffAccounts.role'),
      options: [all, { value: 'staff', label: t('staffAccounts.staff') }],
    },
    { name: 'username', label: t('staffAccounts.username') },
    { name: 'email', label: t('staffAccounts.email') },
    { name: 'by_domain', label: t('staffAccounts.domain') },
    { name: 'ip', label: t('staffAccounts.ip') },
  ];
}
