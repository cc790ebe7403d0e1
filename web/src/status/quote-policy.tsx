import { useSignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { storeStatus } from '../store/statuses.ts';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { showError, showToast } from '../ui/toasts.tsx';
import { quotePolicyOf, type QuotePolicy } from './quote-policy-of.ts';

/** Lets the author of a post choose who may quote it. */
export function openQuotePolicy(status: Status): void {
  openDialog((close) => <QuotePolicyDialog status={status} onClose={close} />);
}

function QuotePolicyDialog({ status, onClose }: { readonly status: Status; readonly onClose: () => void }) {
  const policy = useSignal(quotePolicyOf(status.quote_approval));
  const choices: readonly (readonly [QuotePolicy, string])[] = [
    ['public', t('quote.byAnyone')],
    ['followers', t('quote.byFollowers')],
    ['nobody', t('quote.byNobody')],
  ];
  const save = async (): Promise<void> => {
    try {
      const path = `/api/v1/statuses/${status.id}/interaction_policy`;
      storeStatus(await request<Status>('PUT', path, { body: { quote_approval_policy: policy.peek() } }));
      showToast(t('quote.policySaved'));
      onClose();
    } catch (error) {
      showError(error, () => void save());
    }
  };
  return (
    <Dialog
      title={t('status.quotePolicy')}
      size="small"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button type="button" class="button" onClick={() => void save()}>
            {t('quote.savePolicy')}
          </button>
        </>
      }
    >
      <fieldset class="quote-policy">
        <legend class="visually-hidden">{t('status.quotePolicy')}</legend>
        {choices.map(([value, label]) => (
          <label key={value} class="poll-choice">
            <input
              type="radio"
              name="quote-policy"
              checked={policy.value === value}
              onChange={() => (policy.value = value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <p class="soft small">{t('quote.policyHint')}</p>
    </Dialog>
  );
}
