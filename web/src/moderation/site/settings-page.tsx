import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { FieldfareAdminSetting } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { loadInstance } from '../../session/session.ts';
import { showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { Form } from '../form/form.tsx';
import { toBody, type FieldSpec } from '../form/fields.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { RetentionPreview } from './retention-preview.tsx';

const path = '/api/v1/fieldfare/admin/settings';

/** The settings of the site, as the server describes them. The address may name the field that has the focus first. */
export function SettingsPage() {
  return (
    <ModerationPage title={t('sections.settings')} permissions={['manage_settings']}>
      <Settings />
    </ModerationPage>
  );
}

function Settings() {
  const settings = useLoaded<readonly FieldfareAdminSetting[]>(path);
  const { query } = useLocation();
  const isLoaded = settings.value !== undefined;
  useEffect(() => {
    if (isLoaded) document.querySelector<HTMLElement>(`.form [name="${CSS.escape(query['field'] ?? '')}"]`)?.focus();
  }, [isLoaded]);
  if (settings.value === undefined) return <NotLoaded of={settings} count={4} />;
  const { value: list } = settings;
  const fields = list.map(toField);
  return (
    <div class="form-box">
      <Form
        fields={fields}
        initial={Object.fromEntries(
          list.map(({ name, value }) => [name, typeof value === 'number' ? String(value) : value]),
        )}
        submitLabel={t('moderation.save')}
        renderEnd={(values) => <RetentionPreview values={values} />}
        onSubmit={async (values) => {
          const body = toBody(fields, values);
          const changed = list.filter(({ name, value }) => JSON.stringify(value) !== JSON.stringify(body[name]));
          if (changed.length === 0) return showToast(t('settingsPage.unchanged'));
          const changes = Object.fromEntries(changed.map(({ name }) => [name, body[name]]));
          settings.value = await request<readonly FieldfareAdminSetting[]>('PATCH', path, { body: changes });
          showToast(t('settingsPage.saved', { count: changed.length }));
          await loadInstance();
        }}
      />
    </div>
  );
}

const kinds = {
  text: 'text',
  html: 'html',
  css: 'textarea',
  choice: 'choice',
  boolean: 'checkbox',
  list: 'lines',
  number: 'number',
} as const;

function toField({ name, type, choices, max_length: max }: FieldfareAdminSetting): FieldSpec {
  const label = isKnown(name) ? t(`setting.${name}`) : name.replaceAll('_', ' ');
  return {
    name,
    label,
    kind: type === 'text' && (max ?? 0) > 300 ? 'textarea' : kinds[type],
    ...(type === 'list' && { hint: t('settingsPage.linesHint') }),
    ...(type === 'html' && { hint: t('settingsPage.htmlHint'), rows: 10 }),
    ...(max !== null && type !== 'list' && { maxLength: max }),
    ...(choices !== null && {
      options: choices.map((value) => ({ value, label: isChoice(value) ? t(`settingChoice.${value}`) : value })),
    }),
  };
}

const known = [
  'annual_reports',
  'contact_email',
  'contact_username',
  'custom_css',
  'default_language',
  'description',
  'email_subscriptions',
  'extended_description',
  'languages',
  'local_live_feed_access',
  'local_topic_feed_access',
  'notification_retention_days',
  'privacy_policy',
  'registrations',
  'registrations_message',
  'remote_edit_retention_days',
  'remote_live_feed_access',
  'remote_media_retention_days',
  'remote_post_retention_days',
  'remote_topic_feed_access',
  'show_activity',
  'show_domain_block_reasons',
  'show_domain_blocks',
  'show_peers',
  'show_trends',
  'sign_up_proof_of_work',
  'source_url',
  'suggested_accounts',
  'title',
] as const;
const isKnown = (name: string): name is (typeof known)[number] => (known as readonly string[]).includes(name);

const knownChoices = [
  'all',
  'approval',
  'authenticated',
  'closed',
  'disabled',
  'easy',
  'hard',
  'medium',
  'off',
  'open',
  'public',
  'users',
] as const;
const isChoice = (value: string): value is (typeof knownChoices)[number] =>
  (knownChoices as readonly string[]).includes(value);
