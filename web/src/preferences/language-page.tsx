import { setLocale, t } from '../i18n/translate.tsx';
import { shareChange } from '../store/other-windows.ts';
import { Choice, Section } from './controls.tsx';
import { ownName } from './language-options.ts';
import { WhenLoaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { useUserPreferences } from './use-user-preferences.ts';

/** Shows the texts in a language, in all windows. */
async function show(locale: string): Promise<void> {
  shareChange('locale', locale);
  await setLocale(locale);
}

/** The language of the client, of mails and of messages. */
export function LanguagePage() {
  const [preferences, change] = useUserPreferences();
  return (
    <PreferenceFrame title={t('preferences.language')} intro={t('preferences.languageIntro')}>
      <Section title={t('preferences.language')}>
        <WhenLoaded of={preferences}>
          {({ locale: chosen, available_locales: locales }) => (
            <Choice
              label={t('preferences.languageOfTexts')}
              value={chosen}
              options={locales.map((value) => ({ value, label: ownName(value) }))}
              onChange={(locale) => {
                void change({ locale }).then((isSaved) => (isSaved ? show(locale) : undefined));
              }}
            />
          )}
        </WhenLoaded>
      </Section>
    </PreferenceFrame>
  );
}
