import { useLocation } from 'preact-iso';
import { t } from '../../i18n/translate.tsx';
import { currentOf } from '../../layout/index.ts';
import { CountBadge, staffCounts } from '../../unread/index.ts';
import { sectionGroups, type Section } from './sections.ts';
import './section-rail.css';

/** The pages of moderation beside the open one, on wide windows. */
export function SectionRail() {
  const { path } = useLocation();
  return (
    <nav class="section-rail" aria-label={t('moderation.sections')}>
      <a href="/moderation" {...(path === '/moderation' && { 'aria-current': 'page' as const })}>
        {t('moderation.overview')}
      </a>
      {sectionGroups().map(({ label, sections }) => (
        <section key={label} aria-label={label}>
          <h2>{label}</h2>
          <ul>
            {sections.map((section) => (
              <li key={section.path}>
                <a href={section.path} title={section.hint} {...currentOf(path, section.path)}>
                  {section.label}
                  <SectionBadge section={section} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function SectionBadge({ section: { waiting } }: { readonly section: Section }) {
  // Deliveries are tried again without anybody.
  if (waiting === undefined || waiting.count === 'failing_hosts') return null;
  return <CountBadge count={staffCounts.value?.[waiting.count] ?? 0} title={waiting.label} />;
}
