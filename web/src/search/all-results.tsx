import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { followRefresh } from '../api/async-refreshes.ts';
import { requestWithRefresh } from '../api/client.ts';
import type { Search } from '../api/entities.ts';
import { openPath } from '../navigate.ts';
import { TagLink } from '../timeline/tags/index.ts';
import { t } from '../i18n/translate.tsx';
import { AccountRow } from '../people/index.ts';
import { StatusCard } from '../status/index.ts';
import { storeAccounts, storeStatuses } from '../store/statuses.ts';
import { NoResults, type ResultType } from './results-of-type.tsx';
import { isAddress } from './search-query.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';

interface AllResultsProps {
  readonly q: string;
  readonly pathOf: (type: ResultType) => string;
}

const limit = 8;

/** The first results of each kind. A handle or address that leads to one result opens it. */
export function AllResults({ q, pathOf }: AllResultsProps) {
  const refresh = useSignal<string | undefined>(undefined);
  const found = useLoaded<Search | 'opened'>(q, async (signal) => {
    const query = { q, limit, resolve: true };
    const { result: results, refresh: header } = await requestWithRefresh<Search>('/api/v2/search', { query, signal });
    refresh.value = header;
    storeAccounts(results.accounts);
    storeStatuses(results.statuses);
    const isComplete = results.unreachable_host === undefined;
    const path = isAddress(q) && isComplete ? onlyResult(results) : undefined;
    if (path === undefined) return results;
    openPath(path, true);
    return 'opened';
  });
  const following = refresh.value;
  // Service providers may find more accounts.
  useEffect(
    () => (following === undefined ? undefined : followRefresh(following, () => void found.load())),
    [following, found],
  );
  if (found.value === undefined || found.value === 'opened') return <NotLoaded of={found} />;
  const { accounts, hashtags, statuses, unreachable_host: host } = found.value;
  const note = host !== undefined && (
    <p class="search-note" role="status">
      {t('people.unreachableHost', { host })}
    </p>
  );
  if (accounts.length + hashtags.length + statuses.length === 0) {
    return (
      <>
        {note}
        <NoResults q={q} />
      </>
    );
  }
  return (
    <>
      {note}
      <Results title={t('search.accounts')} more={accounts.length === limit ? pathOf('accounts') : undefined}>
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} />
        ))}
      </Results>
      <Results title={t('search.hashtags')} more={hashtags.length === limit ? pathOf('hashtags') : undefined}>
        {hashtags.map((tag) => (
          <TagLink key={tag.name} tag={tag} />
        ))}
      </Results>
      <Results title={t('search.statuses')} more={statuses.length === limit ? pathOf('statuses') : undefined}>
        {statuses.map(({ id }) => (
          <StatusCard key={id} id={id} context={undefined} />
        ))}
      </Results>
    </>
  );
}

/** Returns the path of what an address leads to; undefined if there is not exactly one result. */
function onlyResult({ accounts, statuses, hashtags, collections }: Search): string | undefined {
  const [collection] = collections;
  if (collection !== undefined) return `/collections/${collection.id}`;
  const [status] = statuses;
  if (status !== undefined && statuses.length === 1) return `/@${status.account.acct}/${status.id}`;
  const [account] = accounts;
  if (account !== undefined && accounts.length === 1) return `/@${account.acct}`;
  const [tag] = hashtags;
  return tag !== undefined && hashtags.length === 1 ? `/tags/${encodeURIComponent(tag.name)}` : undefined;
}

interface ResultsProps {
  readonly title: string;
  readonly more: string | undefined;
  readonly children: readonly ComponentChildren[];
}

function Results({ title, more, children }: ResultsProps) {
  if (children.length === 0) return null;
  return (
    <section class="results" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more !== undefined && (
          <a class="small" href={more}>
            {t('search.showAll')}
          </a>
        )}
      </header>
      {children}
    </section>
  );
}
