import type { DefaultInteractionPolicies } from '../api/entities.ts';
import { request } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { instance, me } from '../session/session.ts';
import { settings } from '../session/settings.ts';
import { showError } from '../ui/toasts.tsx';
import { Choice, Section, Select, Toggle } from './controls.tsx';
import { interactions, presetOf, presetNames, withPreset, type Preset } from './interaction-presets.ts';
import { Loaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { saveSettings, saveSource } from './save.ts';
import { languageOptions } from './language-options.ts';

/** The defaults of new posts. Each can be changed while a post is written. */
export function PostingPage() {
  const { source } = me.value;
  const hasFormats = (instance.value?.configuration.statuses.supported_mime_types?.length ?? 0) > 1;
  return (
    <PreferenceFrame title={t('preferences.posting')} intro={t('postingSettings.intro')}>
      <Section title={t('postingSettings.audience')}>
        <Choice
          label={t('postingSettings.visibility')}
          value={source.privacy}
          options={[
            { value: 'public', label: t('visibility.public'), hint: t('postingSettings.publicHint') },
            { value: 'unlisted', label: t('visibility.unlisted'), hint: t('postingSettings.unlistedHint') },
            { value: 'private', label: t('visibility.private'), hint: t('postingSettings.privateHint') },
          ]}
          onChange={(privacy) => void saveSource({ privacy })}
        />
        <Toggle
          label={t('postingSettings.localOnly')}
          hint={t('postingSettings.localOnlyHint')}
          isOn={source.local_only}
          onChange={(isOn) => void saveSource({ local_only: isOn })}
        />
        <Choice
          label={t('postingSettings.quotes')}
          value={source.quote_policy}
          options={[
            { value: 'public', label: t('postingSettings.quotesEveryone') },
            { value: 'followers', label: t('postingSettings.quotesFollowers') },
            { value: 'nobody', label: t('postingSettings.quotesNobody') },
          ]}
          onChange={(policy) => void saveSource({ quote_policy: policy })}
        />
      </Section>
      <Section title={t('postingSettings.content')}>
        <Select
          label={t('postingSettings.language')}
          hint={t('postingSettings.languageHint')}
          value={source.language ?? ''}
          options={[{ value: '', label: t('postingSettings.languageOfClient') }, ...languageOptions()]}
          onChange={(language) => void saveSource({ language: language === '' ? null : language })}
        />
        {hasFormats && (
          <Select
            label={t('postingSettings.format')}
            value={source.status_content_type}
            options={[
              { value: 'text/plain', label: t('postingSettings.formatPlain') },
              { value: 'text/markdown', label: t('postingSettings.formatMarkdown') },
            ]}
            onChange={(type) => void saveSource({ status_content_type: type })}
          />
        )}
        <Toggle
          label={t('postingSettings.sensitive')}
          hint={t('postingSettings.sensitiveHint')}
          isOn={source.sensitive}
          onChange={(sensitive) => void saveSource({ sensitive })}
        />
        <Toggle
          label={t('postingSettings.altText')}
          hint={t('postingSettings.altTextHint')}
          isOn={settings.value.composer.remindOfAltText}
          onChange={(isOn) => void saveSettings('composer', { remindOfAltText: isOn })}
        />
        <Toggle
          label={t('postingSettings.sendsAtOnce')}
          hint={t('postingSettings.sendsAtOnceHint')}
          isOn={settings.value.composer.sendsAtOnce}
          onChange={(isOn) => void saveSettings('composer', { sendsAtOnce: isOn })}
        />
      </Section>
      <Section title={t('postingSettings.interactions')} hint={t('postingSettings.interactionsHint')}>
        <Loaded<DefaultInteractionPolicies> path="/api/v1/interaction_policies/defaults">
          {(policies, set) => <Interactions policies={policies} set={set} />}
        </Loaded>
      </Section>
    </PreferenceFrame>
  );
}

interface InteractionsProps {
  readonly policies: DefaultInteractionPolicies;
  readonly set: (policies: DefaultInteractionPolicies) => void;
}

function Interactions({ policies, set }: InteractionsProps) {
  const change = async (changed: DefaultInteractionPolicies): Promise<void> => {
    set(changed);
    try {
      const path = '/api/v1/interaction_policies/defaults';
      set(await request<DefaultInteractionPolicies>('PATCH', path, { body: changed }));
    } catch (error) {
      set(policies);
      showError(error, () => void change(changed));
    }
  };
  return (
    <>
      {(['public', 'unlisted', 'private'] as const).map((visibility) => (
        <fieldset key={visibility} class="interaction-defaults">
          <legend>{t(`visibility.${visibility}`)}</legend>
          {interactions.map((interaction) => {
            const preset = presetOf(policies[visibility][interaction]);
            return (
              <Select<Preset | 'custom'>
                key={interaction}
                label={t(`postingSettings.${interaction}`)}
                value={preset}
                options={[...presetNames, ...(preset === 'custom' ? (['custom'] as const) : [])].map((value) => ({
                  value,
                  label: t(`postingSettings.rule_${value}`),
                }))}
                onChange={(value) => {
                  if (value !== 'custom') void change(withPreset(policies, visibility, interaction, value));
                }}
              />
            );
          })}
        </fieldset>
      ))}
    </>
  );
}
