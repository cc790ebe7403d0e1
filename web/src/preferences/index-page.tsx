import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { PreferenceList } from './preference-list.tsx';
import './preferences.css';

/** The list of all preferences. */
export function IndexPage() {
  return (
    <div class="preferences is-index">
      <div class="preferences-page">
        <PageHeader title={t('nav.preferences')} />
        <div class="preferences-body">
          <PreferenceList />
        </div>
      </div>
    </div>
  );
}
