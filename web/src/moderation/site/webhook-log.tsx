import type { FieldfareAdminWebhook, FieldfareAdminWebhookDelivery } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ItemList } from '../list/item-list.tsx';
import { usePages } from '../../store/pages.ts';

/** Opens the list of what a webhook was sent, and of what waits. */
export function openWebhookLog(webhook: FieldfareAdminWebhook): void {
  openDialog((close) => (
    <Dialog title={t('site.log')} onClose={close}>
      <p class="small soft">
        <bdi>{webhook.url}</bdi>
      </p>
      <Deliveries webhook={webhook} />
    </Dialog>
  ));
}

function Deliveries({ webhook }: { readonly webhook: FieldfareAdminWebhook }) {
  const path = `/api/v1/fieldfare/admin/webhooks/${webhook.id}/deliveries`;
  const list = usePages<FieldfareAdminWebhookDelivery>(path);
  return (
    <ItemList
      list={list}
      label={t('site.log')}
      empty={t('site.logEmpty')}
      renderItem={(delivery) => <Delivery delivery={delivery} />}
    />
  );
}

function Delivery({ delivery }: { readonly delivery: FieldfareAdminWebhookDelivery }) {
  const { event, state, attempts, response_status: status, error } = delivery;
  return (
    <div class="item">
      <div class="item-text">
        <p class="item-title">
          <bdi>{event}</bdi> <span class={state === 'failed' ? 'tag warn' : 'tag'}>{t(`deliveryState.${state}`)}</span>
        </p>
        <p class="small soft">
          <RelativeTime time={delivery.last_attempt_at ?? delivery.created_at} />
          {attempts > 0 && <> · {t('jobs.attempts', { number: attempts })}</>}
          {status !== null && <> · {t('site.response', { status })}</>}
          {error !== null && <> · {describeProblem(error)}</>}
        </p>
      </div>
    </div>
  );
}

function describeProblem(error: string): string {
  switch (error) {
    case 'timeout':
    case 'unreachable':
    case 'refused':
      return t(`deliveryProblem.${error}`);
    default:
      return t('deliveryProblem.internal');
  }
}
