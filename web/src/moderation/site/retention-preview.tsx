import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { FieldfareAdminRetentionEstimate } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';
import type { FormValues } from '../form/fields.ts';

type Setting = FieldfareAdminRetentionEstimate['setting'];

const settings: readonly Setting[] = [
  'remote_post_retention_days',
  'remote_edit_retention_days',
  'remote_media_retention_days',
  'notification_retention_days',
];

/** A button that counts what the ages of a form would delete, before they are saved. */
export function RetentionPreview({ values }: { readonly values: FormValues }) {
  const estimates = useSignal<readonly FieldfareAdminRetentionEstimate[] | undefined>(undefined);
  const [count, isBusy] = useSingleRun(async () => {
    const given = settings.map((name) => [name, String(values[name] ?? '')] as const);
    const query = Object.fromEntries(given.filter(([, days]) => days !== ''));
    const path = '/api/v1/fieldfare/admin/retention';
    try {
      estimates.value = await request<readonly FieldfareAdminRetentionEstimate[]>('GET', path, { query });
    } catch (error) {
      showError(error);
    }
  });
  return (
    <section class="field" aria-label={t('retentionPreview.title')}>
      <button type="button" class="button quiet" disabled={isBusy} onClick={() => void count()}>
        {t('retentionPreview.count')}
      </button>
      <ul class="soft" aria-live="polite" hidden={estimates.value === undefined}>
        {estimates.value?.map((estimate) => (
          <li key={estimate.setting}>
            {t(`retentionPreview.${estimate.setting}`)}: {describe(estimate)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe({ days, deleted, exact }: FieldfareAdminRetentionEstimate): string {
  if (days === 0) return t('retentionPreview.never');
  const number = formatCount(deleted);
  return exact ? number : t('retentionPreview.about', { number });
}
