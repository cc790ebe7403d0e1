import type { UserPreferences } from '../api/entities.ts';
import { setLocale, t } from '../i18n/translate.tsx';
import { Choice, Section } from './controls.tsx';
import { ownName } from './language-options.ts';
import { Loaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { savePreferences } from './save.ts';

/** The language of the client, of mails and of messages. */
export function LanguagePage() {
  return (
    <PreferenceFrame title={t('preferences.language')} intro={t('preferences.languageIntro')}>
      <Section title={t('preferences.language')}>
        <Loaded<UserPreferences> path="/api/v1/fieldfare/preferences">
          {(preferences, set) => (
            <Choice
              label={t('preferences.languageOfTexts')}
              value={preferences.locale}
              options={preferences.available_locales.map((value) => ({ value, label: ownName(value) }))}
              onChange={(locale) => {
                void savePreferences(preferences, { locale }, set).then((isSaved) =>
                  isSaved ? setLocale(locale) : undefined,
                );
              }}
            />
          )}
        </Loaded>
      </Section>
    </PreferenceFrame>
  );
}
