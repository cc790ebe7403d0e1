import type { FieldfareAdminWarningPreset } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';

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
