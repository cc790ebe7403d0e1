import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { Tabs } from '../ui/tabs.tsx';
import { AllResults } from './all-results.tsx';
import { rememberSearch } from './recent-searches.ts';
import { SearchBox } from './search-box.tsx';
import { SearchHelp } from './search-help.tsx';
import { isResultType, ResultsOfType, resultTypes } from './results-of-type.tsx';
import './search-page.css';

/** Searches people, posts and hashtags: `/search?q=owls&type=statuses`. */
export function SearchPage() {
  const { query } = useLocation();
  const q = query['q'] ?? '';
  const type = query['type'];
  const shown = isResultType(type) ? type : undefined;
  useEffect(() => {
    if (q !== '') rememberSearch(q);
  }, [q]);
  const pathOf = (name: string | undefined): string =>
    `/search?q=${encodeURIComponent(q)}${name === undefined ? '' : `&type=${name}`}`;
  return (
    <>
      <PageHeader title={q === '' ? t('search.label') : t('search.resultsFor', { text: q })} />
      <div class="search-field">
        <SearchBox text={q} hasFocus={q === ''} />
      </div>
      {q === '' ? (
        <SearchHelp />
      ) : (
        <>
          <Tabs
            label={t('search.kinds')}
            current={pathOf(shown)}
            tabs={[
              { path: pathOf(undefined), label: t('search.all') },
              ...resultTypes.map((name) => ({ path: pathOf(name), label: t(`search.${name}`) })),
            ]}
          />
          {shown === undefined ? (
            <AllResults key={q} q={q} pathOf={pathOf} />
          ) : (
            <ResultsOfType key={q} q={q} type={shown} />
          )}
        </>
      )}
    </>
  );
}
