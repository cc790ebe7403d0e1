import x from '@phosphor-icons/core/regular/x.svg?raw';
import { request } from '../api/client.ts';
import type { Suggestion } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import type { Load } from '../ui/load.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { AccountRow } from './account-row.tsx';
import { FollowButton } from './follow-button.tsx';
import '../ui/rows.css';

interface LoadedSuggestions {
  readonly loaded: Load<readonly Suggestion[]>;
  /** Removes a suggestion permanently; it returns with a message if the server refuses. */
  readonly dismiss: (suggestion: Suggestion) => void;
}

/** Loads accounts that the reader may want to follow. */
export function useSuggestions(limit: number): LoadedSuggestions {
  const loaded = useLoaded<readonly Suggestion[]>(`/api/v2/suggestions?limit=${limit}`);
  const dismiss = async (suggestion: Suggestion): Promise<void> => {
    const before = loaded.value ?? [];
    loaded.value = before.filter((one) => one !== suggestion);
    try {
      await request('DELETE', `/api/v1/suggestions/${suggestion.account.id}`);
    } catch (error) {
      loaded.value = before;
      showError(error, () => void dismiss(suggestion));
    }
  };
  return { loaded, dismiss: (suggestion) => void dismiss(suggestion) };
}

/** Accounts that the reader may want to follow, each with the reason, and a button that removes it permanently. */
export function Suggestions() {
  const { loaded, dismiss } = useSuggestions(40);
  const list = loaded.value;
  if (list === undefined) return <NotLoaded of={loaded} count={3} />;
  if (list.length === 0)
    return (
      <EmptyState title={t('people.noSuggestions')}>
        <p>{t('people.noSuggestionsHint')}</p>
      </EmptyState>
    );
  return (
    <ul class="rows" aria-label={t('people.suggestions')}>
      {list.map((suggestion) => (
        <li key={suggestion.account.id}>
          <SuggestionRow suggestion={suggestion} onDismiss={() => dismiss(suggestion)} />
        </li>
      ))}
    </ul>
  );
}

interface SuggestionRowProps {
  readonly suggestion: Suggestion;
  readonly onDismiss: () => void;
}

/** A suggested account with the reason. */
export function SuggestionRow({ suggestion, onDismiss }: SuggestionRowProps) {
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
