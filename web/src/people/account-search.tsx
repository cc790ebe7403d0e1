import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { describeError } from '../ui/toasts.tsx';
import { AccountRow } from './account-row.tsx';
import './account-search.css';

interface AccountSearchProps {
  readonly label: string;
  /** Whether only followed accounts are found. */
  readonly onlyFollowed?: boolean;
  /** What can be done with an account that is found. */
  readonly renderActions: (account: Account) => ComponentChildren;
}

/** How long the search waits for the next letter, in milliseconds. */
const pauseMs = 250;

/** A search field for accounts with what it finds below it. */
export function AccountSearch({ label, onlyFollowed = false, renderActions }: AccountSearchProps) {
  const id = useId();
  const text = useSignal('');
  const found = useSignal<readonly Account[] | undefined>(undefined);
  const problem = useSignal('');
  const query = text.value.trim();
  useEffect(() => {
    if (query === '') {
      found.value = undefined;
      return undefined;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      request<readonly Account[]>('GET', '/api/v1/accounts/search', {
        query: {
          q: query,
          following: onlyFollowed || undefined,
          resolve: !onlyFollowed && query.includes('@'),
          limit: 10,
        },
        signal: controller.signal,
      }).then(
        (accounts) => {
          problem.value = '';
          found.value = accounts;
        },
        (error: unknown) => {
          if (!controller.signal.aborted) problem.value = describeError(error);
        },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, onlyFollowed]);
  return (
    <div class="account-search">
      <div class="field">
        <label for={id}>{label}</label>
        <input
          id={id}
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </div>
      <p class="problem" role="status">
        {problem.value !== '' ? problem.value : found.value?.length === 0 ? t('people.nobodyFound') : ''}
      </p>
      {found.value !== undefined && found.value.length > 0 && (
        <ul class="rows" aria-label={t('people.searchResults')}>
          {found.value.map((account) => (
            <li key={account.id}>
              <AccountRow account={account} actions={renderActions(account)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
