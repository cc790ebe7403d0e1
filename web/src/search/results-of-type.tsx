import type { Account, Search, Status, Tag } from '../api/entities.ts';
import { withQuery } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { AccountRow } from '../people/index.ts';
import { StatusCard } from '../status/index.ts';
import { TagLink } from '../timeline/tags/index.ts';
import { usePages } from '../store/pages.ts';
import { storeAccounts, storeStatuses } from '../store/statuses.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { isBareName } from './search-query.ts';
import { EmptyState } from '../ui/states.tsx';

export const resultTypes = ['accounts', 'hashtags', 'statuses'] as const;
export type ResultType = (typeof resultTypes)[number];

export const isResultType = (name: string | undefined): name is ResultType =>
  resultTypes.some((known) => known === name);

const pageSize = 20;

/** All results of one kind, page by page. */
export function ResultsOfType({ q, type }: { readonly q: string; readonly type: ResultType }) {
  const path = withQuery('/api/v2/search', { q, type, limit: pageSize });
  if (type === 'accounts') return <Accounts path={path} q={q} />;
  return type === 'hashtags' ? <Hashtags path={path} /> : <Statuses path={path} />;
}

const accountsOf = ({ accounts }: Search): readonly Account[] => {
  storeAccounts(accounts);
  return accounts;
};
const hashtagsOf = ({ hashtags }: Search): readonly Tag[] => hashtags;
const statusesOf = ({ statuses }: Search): readonly Status[] => {
  storeStatuses(statuses);
  return statuses;
};

interface ResultsProps {
  readonly path: string;
}

function Accounts({ path, q }: ResultsProps & { readonly q: string }) {
  return (
    <PagedList
      hasLines
      pages={usePages<Account>(path, accountsOf)}
      label={t('search.accounts')}
      empty={<NoResults q={q} />}
      keyOf={({ id }) => id}
      render={(account) => <AccountRow account={account} />}
    />
  );
}

function Hashtags({ path }: ResultsProps) {
  return (
    <PagedList
      pages={usePages<Tag>(path, hashtagsOf)}
      label={t('search.hashtags')}
      empty={<NoResults />}
      keyOf={({ name }) => name}
      render={(tag) => <TagLink tag={tag} />}
    />
  );
}

function Statuses({ path }: ResultsProps) {
  return (
    <PagedList
      pages={usePages<Status>(path, statusesOf)}
      label={t('search.statuses')}
      empty={<NoResults />}
      keyOf={({ id }) => id}
      render={({ id }) => <StatusCard id={id} context={undefined} />}
    />
  );
}

/** Says that nothing was found, and what to try. `q`: what may be the name of a person, without its server. */
export function NoResults({ q = '' }: { readonly q?: string }) {
  return (
    <EmptyState title={t('search.nothing')}>
      <p>{isBareName(q) ? t('search.addressHint') : t('search.nothingHint')}</p>
    </EmptyState>
  );
}
