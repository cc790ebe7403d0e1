import { useSignal } from '@preact/signals';
import { request, requestPage } from '../../api/client.ts';
import type {
  AccountWarning,
  AdminAccount,
  AdminReport,
  FieldfareAdminAccountNote,
  FieldfareAdminRole,
} from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { openPath } from '../../navigate.ts';
import { confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { AccountFacts } from '../accounts/account-facts.tsx';
import { EmailForm } from '../accounts/email-form.tsx';
import { Strikes } from '../accounts/strikes.tsx';
import { Form } from '../form/form.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { can } from '../../session/permissions.ts';
import { DecisionPanel } from '../reports/decision-panel.tsx';
import { decideAboutAccount, type Decision } from '../reports/decisions.ts';
import { Notes } from '../reports/notes.tsx';

interface Details {
  readonly account: AdminAccount;
  readonly strikes: readonly AccountWarning[];
  readonly notes: readonly FieldfareAdminAccountNote[];
  readonly reports: readonly AdminReport[];
  readonly roles: readonly FieldfareAdminRole[];
}

/** An account as staff see it, with its history and what can be done. */
export function AccountPage({ id = '' }: { readonly id?: string }) {
  return (
    <ModerationPage title={t('staffAccounts.title')} permissions={['manage_users']} hasBack>
      <Account key={id} id={id} />
    </ModerationPage>
  );
}

async function loadDetails(id: string): Promise<Details> {
  const own = `/api/v1/fieldfare/admin/accounts/${id}`;
  const list = async <Item,>(path: string): Promise<readonly Item[]> => (await requestPage<Item>(path)).items;
  const [account, strikes, notes, reports, roles] = await Promise.all([
    request<AdminAccount>('GET', `/api/v1/admin/accounts/${id}`),
    list<AccountWarning>(`${own}/strikes`),
    list<FieldfareAdminAccountNote>(`${own}/notes`),
    can('manage_reports')
      ? list<AdminReport>(`/api/v1/admin/reports?target_account_id=${id}&resolved=true&unresolved=true&limit=20`)
      : [],
    can('manage_roles') ? list<FieldfareAdminRole>('/api/v1/fieldfare/admin/roles') : [],
  ]);
  return { account, strikes, notes, reports, roles };
}

function Account({ id }: { readonly id: string }) {
  const details = useLoaded<Details>(id, () => loadDetails(id));
  if (details.value === undefined) return <NotLoaded of={details} count={3} />;
  const { account, strikes, notes, reports } = details.value;
  return (
    <div class="report">
      <div>
        <section class="section-box" aria-label={t('staffAccounts.title')}>
          <AccountFacts account={account} />
          <More account={account} />
          <Notes
            title={t('staffAccounts.notes')}
            path={`/api/v1/fieldfare/admin/accounts/${id}/notes`}
            notePath="/api/v1/fieldfare/admin/account_notes"
            notes={notes}
            onChange={(changed) => {
              if (details.value !== undefined) details.value = { ...details.value, notes: changed as Details['notes'] };
            }}
          />
        </section>
        {account.approved !== false && <Decide account={account} onDone={() => void details.load()} />}
        <Reversals account={account} onDone={() => void details.load()} />
      </div>
      <div class="report-side">
        <section class="section-box" aria-label={t('staffAccounts.strikes')}>
          <h2>{t('staffAccounts.strikes')}</h2>
          <Strikes strikes={strikes} />
        </section>
        <section class="section-box" aria-label={t('sections.reports')}>
          <h2>{t('sections.reports')}</h2>
          {reports.length === 0 && <p class="soft">{t('staffAccounts.noReports')}</p>}
          <ul class="notes">
            {reports.map((report) => (
              <li key={report.id}>
                <a href={`/moderation/reports/${report.id}`}>
                  {report.comment === '' ? t('reports.withoutComment') : report.comment}
                </a>
              </li>
            ))}
          </ul>
        </section>
        <EmailForm account={account} onDone={() => void details.load()} />
        <RoleForm details={details.value} onDone={() => void details.load()} />
      </div>
    </div>
  );
}

/** The addresses that the user signed in from, and why the account was asked for. */
function More({ account }: { readonly account: AdminAccount }) {
  const { ips, invite_request: reason, invited_by_account_id: inviter, locale } = account;
  return (
    <>
      {reason !== null && reason !== '' && <p dir="auto">{reason}</p>}
      <p class="buttons">
        {inviter !== undefined && <a href={`/moderation/accounts/${inviter}`}>{t('staffAccounts.invitedBy')}</a>}
        {locale !== null && <span class="tag">{locale}</span>}
        {account.lacks_proof_of_work === true && <span class="tag warn">{t('staffAccounts.lacksProof')}</span>}
      </p>
      {ips !== null && ips.length > 0 && (
        <details>
          <summary>{t('staffAccounts.ips', { count: ips.length })}</summary>
          <ul class="notes">
            {ips.map(({ ip, used_at: time }) => (
              <li key={ip}>
                <a href={`/moderation/accounts?ip=${encodeURIComponent(ip)}`}>{ip}</a>{' '}
                <span class="small soft">
                  <RelativeTime time={time} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface PartProps {
  readonly account: AdminAccount;
  readonly onDone: () => void;
}

function Decide({ account, onDone }: PartProps) {
  const decision = useSignal<Decision | undefined>(undefined);
  const isLocal = account.domain === null;
  const options = (['warn', 'sensitive', 'limit', 'disable', 'suspend'] as const).filter(
    (one) => isLocal || one !== 'disable',
  );
  return (
    <DecisionPanel
      options={options}
      isLocal={isLocal}
      statusIds={[]}
      decision={decision.value}
      onChoose={(chosen) => (decision.value = chosen)}
      onCancel={() => (decision.value = undefined)}
      onConfirm={async (message) => {
        const { value: chosen } = decision;
        if (chosen === undefined || chosen === 'delete') return;
        try {
          await decideAboutAccount(account.id, { decision: chosen, ...message });
        } catch (error) {
          return showError(error);
        }
        decision.value = undefined;
        showToast(t(`decision.${chosen}Done`, { name: `@${account.account.acct}` }));
        onDone();
      }}
    />
  );
}

/** What takes earlier decisions back, and decides a sign-up. */
function Reversals({ account, onDone }: PartProps) {
  const path = `/api/v1/admin/accounts/${account.id}`;
  const send = (verb: string): void => void request('POST', `${path}/${verb}`).then(onDone, showError);
  const isPending = account.approved === false;
  const buttons: (readonly [label: string, verb: string])[] = [];
  if (isPending) buttons.push([t('staffAccounts.approve'), 'approve']);
  if (account.suspended) buttons.push([t('staffAccounts.unsuspend'), 'unsuspend']);
  if (account.disabled === true) buttons.push([t('staffAccounts.enable'), 'enable']);
  if (account.silenced) buttons.push([t('staffAccounts.unsilence'), 'unsilence']);
  if (account.sensitized) buttons.push([t('staffAccounts.unsensitive'), 'unsensitive']);
  const destroy = async (method: 'POST' | 'DELETE', target: string, action: string, text: string): Promise<void> => {
    if (!(await confirm({ title: `@${account.account.acct}`, text, action }))) return;
    try {
      await request(method, target);
      openPath('/moderation/accounts');
    } catch (error) {
      showError(error);
    }
  };
  if (buttons.length === 0) return null;
  return (
    <section class="section-box" aria-label={t('staffAccounts.undoTitle')}>
      <h2>{t('staffAccounts.undoTitle')}</h2>
      <div class="buttons">
        {buttons.map(([label, verb]) => (
          <button key={verb} type="button" class="button quiet" onClick={() => send(verb)}>
            {label}
          </button>
        ))}
        {isPending && (
          <button
            type="button"
            class="button danger"
            onClick={() =>
              void destroy('POST', `${path}/reject`, t('staffAccounts.reject'), t('signUps.rejectText', { count: 1 }))
            }
          >
            {t('staffAccounts.reject')}
          </button>
        )}
        {account.suspended && can('delete_user_data') && (
          <button
            type="button"
            class="button danger"
            onClick={() =>
              void destroy('DELETE', path, t('staffAccounts.deleteData'), t('staffAccounts.deleteDataText'))
            }
          >
            {t('staffAccounts.deleteData')}
          </button>
        )}
      </div>
    </section>
  );
}

function RoleForm({ details: { account, roles }, onDone }: { readonly details: Details; readonly onDone: () => void }) {
  if (roles.length === 0 || account.domain !== null) return null;
  return (
    <section class="section-box" aria-label={t('staffAccounts.role')}>
      <Form
        fields={[
          {
            name: 'role_id',
            label: t('staffAccounts.role'),
            kind: 'choice',
            options: roles.map(({ id, name }) => ({
              value: id,
              label: name === '' ? t('staffAccounts.everyone') : name,
            })),
          },
        ]}
        initial={{ role_id: account.role?.id ?? '-99' }}
        submitLabel={t('staffAccounts.changeRole')}
        onSubmit={async (values) => {
          await request('POST', `/api/v1/fieldfare/admin/accounts/${account.id}/role`, { body: values });
          onDone();
        }}
      />
    </section>
  );
}
