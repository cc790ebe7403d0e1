import { request } from '../api/client.ts';
import type { Webhook } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { showError } from '../ui/toasts.tsx';

export const webhooksPath = '/api/v1/fieldfare/webhooks';

interface WebhookItemProps {
  readonly webhook: Webhook;
  readonly onChange: (changed: Webhook) => void;
  readonly onRemove: () => void;
}

/** Where an app has events of the account sent. Its user pauses or deletes it; only the app changes what it is sent. */
export function WebhookItem({ webhook, onChange, onRemove }: WebhookItemProps) {
  const { id, url, events, state } = webhook;
  const isPaused = state === 'disabled';
  const toggle = async (): Promise<void> => {
    try {
      onChange({
        ...webhook,
        ...(await request<Webhook>('PUT', `${webhooksPath}/${id}`, { body: { enabled: isPaused } })),
      });
    } catch (error) {
      showError(error, () => void toggle());
    }
  };
  const address = new URL(url).host;
  return (
    <li>
      <span dir="ltr">{url}</span>{' '}
      <span class="soft small">
        {events.join(', ')}
        {state !== 'active' && ` · ${t(isPaused ? 'apps.webhookPaused' : 'apps.webhookFailing')}`}
      </span>
      <div class="webhook-buttons">
        <button
          type="button"
          class="button quiet"
          aria-label={t(isPaused ? 'apps.webhookResumeOf' : 'apps.webhookPauseOf', { address })}
          onClick={() => void toggle()}
        >
          {t(isPaused ? 'apps.webhookResume' : 'apps.webhookPause')}
        </button>
        <button
          type="button"
          class="button quiet"
          aria-label={t('apps.webhookDeleteOf', { address })}
          onClick={onRemove}
        >
          {t('apps.webhookDelete')}
        </button>
      </div>
    </li>
  );
}
