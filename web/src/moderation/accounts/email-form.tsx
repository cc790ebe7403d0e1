import { request } from '../../api/client.ts';
import type { AdminAccount } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { can } from '../../session/permissions.ts';
import { confirm } from '../../ui/confirm.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { Form } from '../form/form.tsx';

interface EmailFormProps {
  readonly account: AdminAccount;
  readonly onDone: () => void;
}

/** Changes and confirms the e-mail address of a local user. */
export function EmailForm({ account, onDone }: EmailFormProps) {
  const { id, email, confirmed, unconfirmed_email: newEmail } = account;
  if (email === null || !can('manage_user_access')) return null;
  const path = `/api/v1/fieldfare/admin/accounts/${id}`;
  const waiting = newEmail ?? (confirmed === false ? email : undefined);
  const send = (action: 'confirm' | 'resend_confirmation', message: string): void => {
    request('POST', `${path}/${action}`).then(() => {
      showToast(message);
      onDone();
    }, showError);
  };
  const confirmAddress = async (address: string): Promise<void> => {
    const text = t('staffAccounts.confirmEmailText', { email: address });
    const action = t('staffAccounts.confirmEmail');
    if (await confirm({ title: `@${account.account.acct}`, text, action }))
      send('confirm', t('staffAccounts.emailConfirmed'));
  };
  return (
    <section class="section-box" aria-label={t('staffAccounts.changeEmail')}>
      {waiting !== undefined && (
        <div class="buttons">
          <button type="button" class="button quiet" onClick={() => void confirmAddress(waiting)}>
            {t('staffAccounts.confirmEmail')}
          </button>
          <button
            type="button"
            class="button quiet"
            onClick={() => send('resend_confirmation', t('staffAccounts.linkSent', { email: waiting }))}
          >
            {t('staffAccounts.resendConfirmation')}
          </button>
        </div>
      )}
      <Form
        fields={[
          { name: 'email', label: t('staffAccounts.email'), kind: 'text', hint: t('staffAccounts.emailHint') },
          { name: 'confirmed', label: t('staffAccounts.emailWithoutLink'), kind: 'checkbox' },
        ]}
        initial={{ email: waiting ?? email, confirmed: false }}
        submitLabel={t('staffAccounts.changeEmail')}
        onSubmit={async (values) => {
          await request('POST', `${path}/email`, { body: values });
          onDone();
        }}
      />
    </section>
  );
}
