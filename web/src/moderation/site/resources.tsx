import type {
  AdminAnnouncement,
  FieldfareAdminInvite,
  FieldfareAdminWarningPreset,
  FieldfareAdminCredentialWebhook,
  FieldfareAdminWebhook,
} from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { toLocalTime, type FieldSpec } from '../form/fields.ts';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { openWebhookLog } from './webhook-log.tsx';

/** Texts that staff reuse in decisions. */
export function WarningPresetsPage() {
  const fields: readonly FieldSpec[] = [
    { name: 'title', label: t('site.presetTitle'), kind: 'text', hint: t('site.presetTitleHint') },
    { name: 'text', label: t('site.presetText'), kind: 'textarea', isRequired: true },
  ];
  const resource: Resource<FieldfareAdminWarningPreset> = {
    title: t('sections.warningPresets'),
    permissions: ['manage_settings'],
    path: '/api/v1/fieldfare/admin/warning_presets',
    intro: t('site.presetsIntro'),
    empty: t('site.noPresets'),
    addLabel: t('site.addPreset'),
    fields,
    editFields: fields,
    toValues: ({ title, text }) => ({ title, text }),
    nameOf: ({ title, text }) => (title === '' ? text.slice(0, 40) : title),
    render: ({ title, text }) => (
      <>
        <p class="item-title" dir="auto">
          {title}
        </p>
        <p class="item-excerpt" dir="auto">
          {text}
        </p>
      </>
    ),
    deletion: { label: t('site.deletePreset'), text: () => t('site.deletePresetText') },
  };
  return <ResourcePage resource={resource} />;
}

/** Announcements to all users. */
export function AnnouncementsPage() {
  const path = '/api/v1/fieldfare/admin/announcements';
  const fields: readonly FieldSpec[] = [
    { name: 'text', label: t('site.announcementText'), kind: 'textarea', isRequired: true },
    { name: 'starts_at', label: t('site.startsAt'), kind: 'datetime-local' },
    { name: 'ends_at', label: t('site.endsAt'), kind: 'datetime-local' },
    { name: 'all_day', label: t('site.allDay'), kind: 'checkbox' },
    { name: 'scheduled_at', label: t('site.scheduledAt'), kind: 'datetime-local', hint: t('site.scheduledAtHint') },
  ];
  const resource: Resource<AdminAnnouncement> = {
    title: t('sections.announcements'),
    permissions: ['manage_announcements'],
    path,
    intro: t('site.announcementsIntro'),
    empty: t('site.noAnnouncements'),
    addLabel: t('site.addAnnouncement'),
    fields: [...fields, { name: 'published', label: t('site.publishNow'), kind: 'checkbox' }],
    editFields: fields,
    toValues: (announcement) => ({
      text: announcement.text,
      starts_at: toLocalTime(announcement.starts_at),
      ends_at: toLocalTime(announcement.ends_at),
      all_day: announcement.all_day,
      scheduled_at: toLocalTime(announcement.scheduled_at),
    }),
    nameOf: ({ text }) => text.slice(0, 40),
    render: ({ text, published, updated_at: time }) => (
      <>
        <p dir="auto">{text}</p>
        <p class="small soft">
          {published ? t('site.published') : t('site.draft')} · <RelativeTime time={time} />
        </p>
      </>
    ),
    actions: ({ id, published }, list) => [
      published
        ? postAction(t('site.unpublish'), { list, path: `${path}/${id}/unpublish` })
        : postAction(t('site.publish'), { list, path: `${path}/${id}/publish` }),
    ],
    deletion: { label: t('site.deleteAnnouncement'), text: () => t('site.deleteAnnouncementText') },
  };
  return <ResourcePage resource={resource} />;
}

/** Links by which people sign up. */
export function InvitesPage() {
  const path = '/api/v1/fieldfare/admin/invites';
  const resource: Resource<FieldfareAdminInvite> = {
    title: t('sections.invites'),
    permissions: ['manage_invites'],
    path,
    intro: t('site.invitesIntro'),
    empty: t('site.noInvites'),
    filters: [
      {
        name: 'state',
        label: t('staffAccounts.state'),
        options: [
          { value: '', label: t('moderation.all') },
          { value: 'available', label: t('site.inviteAvailable') },
          { value: 'expired', label: t('site.inviteExpired') },
        ],
      },
    ],
    addLabel: t('site.addInvite'),
    fields: [
      { name: 'max_uses', label: t('site.maxUses'), kind: 'number', hint: t('site.maxUsesHint') },
      {
        name: 'expires_in',
        label: t('servers.expires'),
        kind: 'choice',
        options: [
          { value: '', label: t('servers.never') },
          { value: '86400', label: t('servers.day') },
          { value: '1209600', label: t('servers.twoWeeks') },
          { value: '31536000', label: t('servers.year') },
        ],
      },
      { name: 'comment', label: t('servers.comment'), kind: 'text' },
    ],
    prepareBody: ({ expires_in: expires, ...body }) => ({
      ...body,
      ...(expires !== '' && { expires_in: Number(expires) }),
    }),
    nameOf: ({ code }) => code,
    render: ({ url, uses, max_uses: max, usable, username, comment }) => (
      <>
        <p class="item-title">
          {url} {!usable && <span class="tag">{t('site.inviteExpired')}</span>}
        </p>
        <p class="small soft">
          <bdi>@{username}</bdi> ·{' '}
          {max === null ? t('site.uses', { count: uses }) : t('site.usesOf', { count: uses, max })}
          {comment !== null && comment !== '' && ` · ${comment}`}
        </p>
      </>
    ),
    actions: ({ id, url, usable }, list) => [
      { label: t('site.copyLink'), onSelect: () => void copy(url) },
      usable ? postAction(t('site.expireInvite'), { list, path: `${path}/${id}/expire` }) : undefined,
    ],
  };
  return <ResourcePage resource={resource} />;
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  showToast(t('site.copied'));
}

const webhookEvents = [
  'account.approved',
  'account.created',
  'account.updated',
  'held_post.created',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const;

/** Addresses that receive what happens on the server. */
export function WebhooksPage() {
  const path = '/api/v1/fieldfare/admin/webhooks';
  const fields: readonly FieldSpec[] = [
    { name: 'url', label: t('servers.address'), kind: 'text', isRequired: true },
    {
      name: 'events',
      label: t('site.events'),
      kind: 'choices',
      options: webhookEvents.map((event) => ({ value: event, label: event })),
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
  if (isCopied) await copy(secret);
}
