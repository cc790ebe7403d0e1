import type { FieldfareAdminCredentialWebhook, FieldfareAdminWebhook } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { openWebhookLog } from './webhook-log.tsx';

/** All events; the type finds a missing one. */
const webhookEvents: Readonly<Record<FieldfareAdminWebhook['events'][number], true>> = {
  'account.approved': true,
  'account.created': true,
  'account.updated': true,
  'held_post.created': true,
  'report.created': true,
  'report.updated': true,
  'status.created': true,
  'status.updated': true,
};

/** Addresses that receive what happens on the server. */
export function WebhooksPage() {
  const path = '/api/v1/fieldfare/admin/webhooks';
  const fields: readonly FieldSpec[] = [
    { name: 'url', label: t('servers.address'), kind: 'text', isRequired: true },
    {
      name: 'events',
      label: t('site.events'),
      kind: 'choices',
      options: Object.keys(webhookEvents).map((event) => ({ value: event, label: event })),
    },
    { name: 'template', label: t('site.template'), kind: 'textarea', hint: t('site.templateHint') },
  ];
  const resource: Resource<FieldfareAdminWebhook> = {
    title: t('sections.webhooks'),
    permissions: ['manage_webhooks'],
    path,
    intro: t('site.webhooksIntro'),
    empty: t('site.noWebhooks'),
    addLabel: t('site.addWebhook'),
    fields,
    editFields: fields,
    toValues: ({ url, events, template }) => ({ url, events, template: template ?? '' }),
    onAdded: (webhook) => void showSecret(webhook),
    nameOf: ({ url }) => url,
    render: ({ url, state, events, failing_since: since }) => (
      <>
        <p class="item-title">
          {url} <span class={state === 'active' ? 'tag' : 'tag warn'}>{t(`webhookState.${state}`)}</span>
        </p>
        <p class="small soft">
          {events.join(', ')} {since !== null && <RelativeTime time={since} />}
        </p>
      </>
    ),
    actions: (webhook, list) => [
      { label: t('site.log'), onSelect: () => openWebhookLog(webhook) },
      webhook.state === 'disabled'
        ? postAction(t('site.enable'), { list, path: `${path}/${webhook.id}/enable` })
        : postAction(t('site.disable'), { list, path: `${path}/${webhook.id}/disable` }),
    ],
    deletion: { label: t('site.deleteWebhook'), text: () => t('site.deleteWebhookText') },
  };
  return <ResourcePage resource={resource} />;
}

/** The secret is in no other response. */
async function showSecret(webhook: FieldfareAdminWebhook): Promise<void> {
  const { secret } = webhook as FieldfareAdminCredentialWebhook;
  const isCopied = await confirm({
    title: t('site.secret'),
    text: t('site.secretText', { secret }),
    action: t('site.copySecret'),
    isDangerous: false,
  });
  if (isCopied) await copyText(secret, t('site.copied'));
}
