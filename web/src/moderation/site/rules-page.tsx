import { request } from '../../api/client.ts';
import type { FieldfareAdminRule } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError } from '../../ui/toasts.tsx';
import { Form } from '../form/form.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';
import type { Pages } from '../../store/pages.ts';

const path = '/api/v1/fieldfare/admin/rules';

/** The rules of the server, in their order, with translations. */
export function RulesPage() {
  const fields: readonly FieldSpec[] = [
    { name: 'text', label: t('rules.text'), kind: 'textarea', isRequired: true },
    { name: 'hint', label: t('rules.hint'), kind: 'textarea', hint: t('rules.hintHint') },
  ];
  const resource: Resource<FieldfareAdminRule> = {
    title: t('sections.rules'),
    permissions: ['manage_rules'],
    path,
    intro: t('rules.intro'),
    empty: t('rules.empty'),
    addLabel: t('rules.add'),
    newPlace: 'last',
    fields,
    editFields: fields,
    toValues: ({ text, hint }) => ({ text, hint }),
    nameOf: ({ text }) => text.slice(0, 40),
    render: ({ text, hint, translations }) => (
      <>
        <p class="item-title" dir="auto">
          {text}
        </p>
        {hint !== '' && (
          <p class="soft" dir="auto">
            {hint}
          </p>
        )}
        {Object.keys(translations).length > 0 && (
          <p class="small soft">{t('rules.translatedTo', { languages: Object.keys(translations).join(', ') })}</p>
        )}
      </>
    ),
    actions: (rule, list) => [
      { label: t('rules.up'), onSelect: () => void move(rule, list, -1) },
      { label: t('rules.down'), onSelect: () => void move(rule, list, 1) },
      { label: t('rules.translate'), onSelect: () => openTranslation(rule, list) },
      ...Object.keys(rule.translations).map((language) => ({
        label: t('rules.deleteTranslation', { language }),
        onSelect: () => void deleteTranslation(rule, list, language),
      })),
    ],
    deletion: { label: t('rules.delete'), text: () => t('rules.deleteText') },
  };
  return <ResourcePage resource={resource} />;
}

async function move(rule: FieldfareAdminRule, list: Pages<FieldfareAdminRule>, step: 1 | -1): Promise<void> {
  const at = list.items.peek().findIndex(({ id }) => id === rule.id);
  const place = Math.min(Math.max(at + 1 + step, 1), list.items.peek().length);
  try {
    const rules = await request<readonly FieldfareAdminRule[]>('POST', `${path}/${rule.id}/move`, { body: { place } });
    list.change(() => rules);
  } catch (error) {
    showError(error, () => void move(rule, list, step));
  }
}

function openTranslation(rule: FieldfareAdminRule, list: Pages<FieldfareAdminRule>): void {
  openDialog((close) => (
    <Dialog title={t('rules.translate')} onClose={close}>
      <p dir="auto">{rule.text}</p>
      <Form
        fields={[
          {
            name: 'language',
            label: t('rules.language'),
            kind: 'text',
            isRequired: true,
            hint: t('rules.languageHint'),
          },
          { name: 'text', label: t('rules.text'), kind: 'textarea', isRequired: true },
          { name: 'hint', label: t('rules.hint'), kind: 'textarea' },
        ]}
        initial={{ language: '', text: '', hint: '' }}
        submitLabel={t('moderation.save')}
        onCancel={close}
        onSubmit={async ({ language, text, hint }) => {
          await request('PUT', `${path}/${rule.id}/translations/${String(language)}`, { body: { text, hint } });
          close();
          await list.load();
        }}
      />
    </Dialog>
  ));
}

async function deleteTranslation(
  rule: FieldfareAdminRule,
  list: Pages<FieldfareAdminRule>,
  language: string,
): Promise<void> {
  try {
    await request('DELETE', `${path}/${rule.id}/translations/${language}`);
    await list.load();
  } catch (error) {
    showError(error);
  }
}
