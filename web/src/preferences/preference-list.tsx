import arrow from '@phosphor-icons/core/regular/arrow-square-out.svg?raw';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { isServerPage, preferenceGroups, type PreferencePage } from './preference-groups.ts';
import { matchPreferences } from './search-preferences.ts';

const textsOf = (page: PreferencePage) => ({
  title: t(page.title),
  hint: t(page.hint),
  settings: (page.settings ?? []).map((key) => t(key)),
});

/** The pages of the preferences by group, with a search over all settings. */
export function PreferenceList() {
  const [query, setQuery] = useState('');
  const groups = preferenceGroups
    .map(({ title, pages }) => ({
      title,
      pages: pages.filter((page) => matchPreferences(textsOf(page), query).isMatch),
    }))
    .filter(({ pages }) => pages.length > 0);
  return (
    <div class="preference-list">
      <input
        type="search"
        aria-label={t('preferences.search')}
        placeholder={t('preferences.search')}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <h2 id={title}>{t(title)}</h2>
          <ul aria-labelledby={title}>
            {pages.map((page) => (
              <Entry key={page.path} page={page} query={query} />
            ))}
          </ul>
        </div>
      ))}
      <p class="soft" role="status">
        {groups.length === 0 && t('preferences.noneFound', { query })}
      </p>
    </div>
  );
}

function Entry({ page, query }: { readonly page: PreferencePage; readonly query: string }) {
  const { path } = useLocation();
  const texts = textsOf(page);
  const { settings } = matchPreferences(texts, query);
  const isCurrent = path === page.path || path.startsWith(`${page.path}/`);
  return (
    <li>
      <a href={page.path} {...(isCurrent && { 'aria-current': 'page' as const })}>
        <Icon svg={page.icon} />
        <span class="preference-title">{texts.title}</span>
        {isServerPage(page) && (
          <span class="preference-leaves">
            <Icon svg={arrow} isDirectional />
          </span>
        )}
        <small>{settings.length > 0 ? settings.join(' · ') : texts.hint}</small>
      </a>
    </li>
  );
}
