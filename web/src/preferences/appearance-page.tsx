import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { settings, type Settings } from '../session/settings.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Choice, Section, Toggle } from './controls.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { saveSettings } from './save.ts';

type Appearance = Settings['appearance'];

/** How the client looks. Each change shows at once, and on all devices of the account. */
export function AppearancePage() {
  const { theme, textSize, density, motion } = settings.value.appearance;
  const change = (changes: Partial<Appearance>) => void saveSettings('appearance', changes);
  return (
    <PreferenceFrame title={t('preferences.appearance')} intro={t('appearanceSettings.intro')}>
      <Preview />
      <Section title={t('appearanceSettings.look')}>
        <Choice
          label={t('appearanceSettings.theme')}
          value={theme}
          options={[
            { value: 'auto', label: t('appearanceSettings.themeAuto') },
            { value: 'light', label: t('appearanceSettings.themeLight') },
            { value: 'dark', label: t('appearanceSettings.themeDark') },
            { value: 'contrast', label: t('appearanceSettings.themeContrast') },
          ]}
          onChange={(value) => change({ theme: value })}
        />
        <Choice
          label={t('appearanceSettings.textSize')}
          value={textSize}
          options={[
            { value: 'small', label: t('appearanceSettings.sizeSmall') },
            { value: 'normal', label: t('appearanceSettings.sizeNormal') },
            { value: 'large', label: t('appearanceSettings.sizeLarge') },
            { value: 'huge', label: t('appearanceSettings.sizeHuge') },
          ]}
          onChange={(value) => change({ textSize: value })}
        />
        <Choice
          label={t('appearanceSettings.density')}
          value={density}
          options={[
            { value: 'compact', label: t('appearanceSettings.densityCompact') },
            { value: 'normal', label: t('appearanceSettings.densityNormal') },
            { value: 'airy', label: t('appearanceSettings.densityAiry') },
          ]}
          onChange={(value) => change({ density: value })}
        />
      </Section>
      <Section title={t('appearanceSettings.behaviour')}>
        <Toggle
          label={t('appearanceSettings.motion')}
          hint={t('appearanceSettings.motionHint')}
          isOn={motion === 'reduced'}
          onChange={(isOn) => change({ motion: isOn ? 'reduced' : 'auto' })}
        />
      </Section>
    </PreferenceFrame>
  );
}

/** A post as it looks with the settings. */
function Preview() {
  const account = me.value;
  return (
    <figure class="appearance-preview" aria-label={t('appearanceSettings.preview')}>
      <Avatar account={account} size={44} />
      <div>
        <p>
          <strong>
            <DisplayName account={account} />
          </strong>{' '}
          <span class="soft" dir="ltr">
            @{account.acct}
          </span>
        </p>
        <p>{t('appearanceSettings.previewText')}</p>
      </div>
    </figure>
  );
}
