import { t } from '../../i18n/translate.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { sectionGroups } from '../frame/sections.ts';
import { can } from '../../session/permissions.ts';
import { Dashboard } from './dashboard.tsx';
import { Tiles } from './tiles.tsx';
import './overview-page.css';

/** The start of moderation: what waits, every page that the role allows, and figures. */
export function OverviewPage() {
  return (
    <ModerationPage title={t('nav.moderation')} permissions={[]}>
      <Tiles />
      {sectionGroups().map(({ label, sections }) => (
        <section key={label} class="section-box section-list">
          <h2>{label}</h2>
          <ul class="sections">
            {sections.map(({ path, label: name, hint }) => (
              <li key={path}>
                <a href={path}>{name}</a>
                <span class="small soft">{hint}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {can('view_dashboard') && <Dashboard />}
    </ModerationPage>
  );
}
