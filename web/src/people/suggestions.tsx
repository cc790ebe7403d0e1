import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Suggestion } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import { AccountRow } from './account-row.tsx';
import { FollowButton } from './follow-button.tsx';
import { nameOf } from './name-of.ts';
import './paged-list.css';

/** Accounts that the reader may want to follow, each with the reason, and a button that removes it permanently. */
export function Suggestions({ limit = 40 }: { readonly limit?: number }) {
  const state = useSignal<readonly Suggestion[] | { readonly error: unknown } | undefined>(undefined);
  const load = (): void =>
    void request<readonly Suggestion[]>('GET', '/api/v2/suggestions', { query: { limit } }).then(
      (list) => (state.value = list),
      (error: unknown) => (state.value = { error }),
    );
  useEffect(load, [limit]);
  const list = state.value;
  if (list === undefined) return <LoadingPosts count={3} />;
  if ('error' in list) return <ErrorState error={list.error} onRetry={load} />;
  if (list.length === 0)
    return (
      <EmptyState title={t('people.noSuggestions')}>
        <a class="button quiet" href="/directory">
          {t('directory.title')}
        </a>
      </EmptyState>
    );
  const dismiss = async (suggestion: Suggestion): Promise<void> => {
    const before = state.peek();
    state.value = list.filter((one) => one !== suggestion);
    try {
      await request('DELETE', `/api/v1/suggestions/${suggestion.account.id}`);
    } catch (error) {
      state.value = before;
      showError(error, () => void dismiss(suggestion));
    }
  };
  return (
    <ul class="rows" aria-label={t('people.suggestions')}>
      {list.map((suggestion) => (
        <li key={suggestion.account.id}>
          <SuggestionRow suggestion={suggestion} onDismiss={() => void dismiss(suggestion)} />
        </li>
      ))}
    </ul>
  );
}

interface SuggestionRowProps {
  readonly suggestion: Suggestion;
  readonly onDismiss: () => void;
}

function SuggestionRow({ suggestion, onDismiss }: SuggestionRowProps) {
  const { account, sources } = suggestion;
  const name = nameOf(account);
  return (
    <AccountRow
      account={account}
      {...(sources[0] !== undefined && { note: describeReason(sources[0]) })}
      actions={
        <>
          <FollowButton account={account} />
          <button
            type="button"
            class="icon-button"
            aria-label={t('people.dismissSuggestion', { name })}
            title={t('people.dismissSuggestion', { name })}
            onClick={onDismiss}
          >
            <Icon svg={x} />
          </button>
        </>
      }
    />
  );
}

function describeReason(source: Suggestion['sources'][number]): string {
  switch (source) {
    case 'featured':
      return t('people.reasonFeatured');
    case 'most_followed':
      return t('people.reasonMostFollowed');
    case 'most_interactions':
      return t('people.reasonMostInteractions');
    case 'similar_to_recently_followed':
      return t('people.reasonSimilar');
    case 'friends_of_friends':
      return t('people.reasonFriends');
  }
}
