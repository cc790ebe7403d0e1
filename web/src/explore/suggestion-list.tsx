import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Account, Suggestion } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { relationshipOf } from '../store/relationships.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';
import { dismissSuggestion, loadSuggestions, suggestions, toggleFollow } from './suggestions.ts';
import './suggestion-list.css';

/** Suggested accounts, each with the reason, and a link to the directory. */
export function SuggestionList() {
  const failure = useSignal<unknown>(undefined);
  const load = async (): Promise<void> => {
    failure.value = undefined;
    try {
      await loadSuggestions();
    } catch (error) {
      failure.value = error;
    }
  };
  useEffect(() => void load(), []);
  const list = suggestions.value;
  if (failure.value !== undefined) return <ErrorState error={failure.value} onRetry={() => void load()} />;
  if (list === undefined) return <LoadingPosts count={4} />;
  return (
    <>
      {list.length === 0 && (
        <EmptyState title={t('explore.suggestionsEmpty')}>
          <p>{t('explore.suggestionsEmptyHint')}</p>
        </EmptyState>
      )}
      <ul class="suggestions" aria-label={t('explore.peopleTab')}>
        {list.map((suggestion) => (
          <li key={suggestion.account.id}>
            <SuggestionRow suggestion={suggestion} />
          </li>
        ))}
      </ul>
      <p class="suggestions-end">
        <a href="/directory">{t('explore.directory')}</a>
      </p>
    </>
  );
}

/** A suggested account with a button to follow it. */
export function SuggestionRow({ suggestion: { account, sources } }: { readonly suggestion: Suggestion }) {
  const [reason] = sources;
  return (
    <div class="suggestion">
      <a class="suggestion-link" href={`/@${account.acct}`}>
        <Avatar account={account} size={44} />
        <span>
          <strong>
            <DisplayName account={account} />
          </strong>
          <span class="soft" dir="ltr">
            @{account.acct}
          </span>
          {reason !== undefined && <span class="soft small">{t(`explore.reason_${reason}`)}</span>}
        </span>
      </a>
      <FollowButton account={account} />
      <button
        type="button"
        class="icon-button"
        aria-label={t('explore.dismissPerson', { name: `@${account.acct}` })}
        onClick={() => void dismissSuggestion(account.id)}
      >
        <Icon svg={x} />
      </button>
    </div>
  );
}

function FollowButton({ account }: { readonly account: Account }) {
  const relationship = relationshipOf(account.id).value;
  const isFollowed = relationship?.following === true;
  const isRequested = relationship?.requested === true;
  return (
    <button
      type="button"
      class={isFollowed || isRequested ? 'button quiet' : 'button'}
      aria-label={t(isFollowed || isRequested ? 'explore.unfollowName' : 'explore.followName', {
        name: `@${account.acct}`,
      })}
      disabled={relationship === undefined}
      onClick={() => void toggleFollow(account.id, account.locked)}
    >
      {isFollowed ? t('explore.following') : isRequested ? t('explore.requested') : t('explore.follow')}
    </button>
  );
}
