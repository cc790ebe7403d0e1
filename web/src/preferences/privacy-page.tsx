import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { Section, Toggle } from './controls.tsx';
import { WhenLoaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { saveProfile } from './save.ts';
import { useUserPreferences } from './use-user-preferences.ts';

/** Who finds and follows the account, and what others see of it. */
export function PrivacyPage() {
  const { locked, source } = me.value;
  const [preferences, change] = useUserPreferences();
  return (
    <PreferenceFrame title={t('preferences.privacy')}>
      <Section title={t('privacySettings.followers')}>
        <Toggle
          label={t('privacySettings.locked')}
          hint={t('privacySettings.lockedHint')}
          isOn={locked}
          onChange={(isOn) => void saveProfile({ locked: isOn })}
        />
        <Toggle
          label={t('privacySettings.hideCollections')}
          hint={t('privacySettings.hideCollectionsHint')}
          isOn={source.hide_collections === true}
          onChange={(isOn) => void saveProfile({ hide_collections: isOn })}
        />
      </Section>
      <Section title={t('privacySettings.found')}>
        <Toggle
          label={t('privacySettings.discoverable')}
          hint={t('privacySettings.discoverableHint')}
          isOn={source.discoverable === true}
          onChange={(isOn) => void saveProfile({ discoverable: isOn })}
        />
        <Toggle
          label={t('privacySettings.indexable')}
          hint={t('privacySettings.indexableHint')}
          isOn={source.indexable}
          onChange={(isOn) => void saveProfile({ indexable: isOn })}
        />
      </Section>
      <Section title={t('privacySettings.posts')}>
        <WhenLoaded of={preferences}>
          {({ show_application: isShown }) => (
            <Toggle
              label={t('privacySettings.showApplication')}
              hint={t('privacySettings.showApplicationHint')}
              isOn={isShown}
              onChange={(isOn) => void change({ show_application: isOn })}
            />
          )}
        </WhenLoaded>
      </Section>
      <Section title={t('privacySettings.more')}>
        <ul class="setting-links">
          <li>
            <a href="/notifications/approvals">{t('privacySettings.approvals')}</a>
          </li>
          <li>
            <a href="/preferences/posting">{t('privacySettings.defaults')}</a>
          </li>
        </ul>
      </Section>
    </PreferenceFrame>
  );
}
