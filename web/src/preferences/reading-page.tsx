import type { UserPreferences } from '../api/entities.ts';
import { request } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { settings, type Settings } from '../session/settings.ts';
import { Choice, Section, Toggle } from './controls.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { saveSettings } from './save.ts';

type Reading = Settings['reading'];

const mediaNames = { default: 'default', show: 'show_all', hide: 'hide_all' } as const;

/** How posts are shown. Apps that follow the preferences of the account show them alike. */
export function ReadingPage() {
  const { expandWarnings, media, autoplay } = settings.value.reading;
  return (
    <PreferenceFrame title={t('preferences.reading')} intro={t('readingSettings.intro')}>
      <Section title={t('readingSettings.mediaTitle')}>
        <Choice
          label={t('readingSettings.media')}
          value={media}
          options={[
            { value: 'default', label: t('readingSettings.mediaDefault') },
            { value: 'show', label: t('readingSettings.mediaShow') },
            { value: 'hide', label: t('readingSettings.mediaHide') },
          ]}
          onChange={(value) => void saveReading({ media: value })}
        />
        <Toggle
          label={t('readingSettings.autoplay')}
          hint={t('readingSettings.autoplayHint')}
          isOn={autoplay}
          onChange={(isOn) => void saveReading({ autoplay: isOn })}
        />
      </Section>
      <Section title={t('readingSettings.textTitle')}>
        <Toggle
          label={t('readingSettings.warnings')}
          hint={t('readingSettings.warningsHint')}
          isOn={expandWarnings}
          onChange={(isOn) => void saveReading({ expandWarnings: isOn })}
        />
      </Section>
    </PreferenceFrame>
  );
}

/** Changes how the client shows posts, and stores it for other apps. */
async function saveReading(changes: Partial<Reading>): Promise<void> {
  await saveSettings('reading', changes);
  const { media, autoplay, expandWarnings } = settings.peek().reading;
  const body: Partial<UserPreferences> = {
    expand_media: mediaNames[media],
    expand_spoilers: expandWarnings,
    autoplay_gifs: autoplay,
  };
  // The client has its own copy: a failure concerns other apps only, and the next change repeats it.
  await request('PATCH', '/api/v1/fieldfare/preferences', { body }).catch(() => undefined);
}
