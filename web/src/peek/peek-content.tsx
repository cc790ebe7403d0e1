import type { Account, PreviewCard } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { FollowButton } from '../people/index.ts';
import { FamiliarFollowersOf, ProfileBadges, ProfileBio, ProfileCounts } from '../profile/index.ts';
import { me } from '../session/session.ts';
import { findFilters, pathOf, StatusBody, VisibilityIcon } from '../status/index.ts';
import { LinkCard } from '../status/link/index.ts';
import { relationshipOf } from '../store/relationships.ts';
import { accountOf, statusOf } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { NameAndHandle } from '../ui/display-name.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import '../ui/status-content.css';
import type { Peek } from './load-peek.ts';
import './peek.css';

/** What a preview shows of a person, a post or a link. */
export function PeekContent({ peek }: { readonly peek: Peek }) {
  switch (peek.kind) {
    case 'person':
      return <Person loaded={peek.account} familiar={peek.familiar} />;
    case 'post':
      return <Post id={peek.id} />;
    case 'link':
      return <Link url={peek.url} card={peek.card} />;
  }
}

interface PersonProps {
  readonly loaded: Account;
  readonly familiar: readonly Account[];
}

function Person({ loaded, familiar }: PersonProps) {
  const account = accountOf(loaded.id).value ?? loaded;
  const relationship = relationshipOf(account.id).value;
  const isKnown = account.id === me.value.id || relationship?.following === true;
  // The profile asks before it shows them.
  const isCovered =
    relationship?.blocking === true ||
    relationship?.domain_blocking === true ||
    ((account.limited === true || relationship?.muting === true) && !isKnown);
  return (
    <div class="peek-person">
      <div class="peek-author">
        <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true">
          <Avatar account={account} size={56} />
        </a>
        <a class="peek-name" href={`/@${account.acct}`}>
          <NameAndHandle account={account} />
        </a>
        <FollowButton account={account} />
      </div>
      <ProfileBadges account={account} />
      {!isCovered && <ProfileBio account={account} />}
      <ProfileCounts account={account} />
      <FamiliarFollowersOf found={familiar} />
    </div>
  );
}

function Post({ id }: { readonly id: string }) {
  const status = statusOf(id).value;
  if (status === undefined) return <p class="soft">{t('quote.deleted')}</p>;
  const { account } = status;
  const covers = findFilters(status, 'thread').filter(({ filter_action: action }) => action !== 'blur');
  const titles = covers.map(({ title }) => title).join(', ');
  return (
    <div class="peek-post" data-status={id}>
      <div class="peek-author">
        <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true">
          <Avatar account={account} size={40} />
        </a>
        <a class="peek-name" href={`/@${account.acct}`}>
          <NameAndHandle account={account} />
        </a>
        <a class="soft small" href={pathOf(status)}>
          {status.visibility !== 'public' && <VisibilityIcon visibility={status.visibility} />}
          <RelativeTime time={status.created_at} />
        </a>
      </div>
      {covers.length > 0 ? (
        <p class="soft" dir="auto">
          {t('status.filtered', { titles })}
        </p>
      ) : (
        <StatusBody status={status} context="thread" blurredBy={findFilters(status, 'thread')} isQuoted />
      )}
    </div>
  );
}

function Link({ url, card }: { readonly url: string; readonly card: PreviewCard | undefined }) {
  if (card !== undefined) return <LinkCard card={card} />;
  return (
    <p class="peek-address" dir="ltr">
      {url}
    </p>
  );
}
