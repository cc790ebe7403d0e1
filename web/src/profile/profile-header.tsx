import calendar from '@phosphor-icons/core/regular/calendar-blank.svg?raw';
import copy from '@phosphor-icons/core/regular/copy.svg?raw';
import type { Account } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { FollowButton } from '../people/index.ts';
import { me } from '../session/session.ts';
import { relationshipOf } from '../store/relationships.ts';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { copyText } from '../ui/copy-text.ts';
import { FamiliarFollowersLine } from './familiar-followers.tsx';
import { PrivateNote } from './private-note.tsx';
import { ProfileBadges } from './profile-badges.tsx';
import { ProfileBio } from './profile-bio.tsx';
import { ProfileCounts } from './profile-counts.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { ProfileImages } from './profile-images.tsx';
import { ProfileNotices } from './profile-notices.tsx';
import type { ProfileTab } from './profile-tab.ts';
import './profile-header.css';

/** The top of a profile: images, name, handle, badges, text, fields, counts and the reader's private note. */
export function ProfileHeader({ account, tab }: { readonly account: Account; readonly tab: ProfileTab }) {
  const isMine = account.id === me.value.id;
  return (
    <section class="profile-header" aria-label={t('profile.about')}>
      <ProfileImages
        account={account}
        actions={
          isMine ? (
            <a class="button quiet" href="/preferences/profile">
              {t('profile.edit')}
            </a>
          ) : (
            <>
              {account.group && <PostToGroup account={account} />}
              <FollowButton account={account} />
            </>
          )
        }
      />
      <div class="profile-about">
        <h2>
          <DisplayName account={account} />
        </h2>
        <Handle account={account} />
        <ProfileBadges account={account} />
        <ProfileNotices account={account} />
        <ProfileBio account={account} />
        <ProfileFields account={account} />
        <p class="profile-joined soft small">
          <Icon svg={calendar} />
          {t('profile.joined', { date: formatDay(account.created_at) })}
        </p>
        <ProfileCounts account={account} tab={tab} />
        {!isMine && <FamiliarFollowersLine key={account.id} accountId={account.id} />}
        {!isMine && <PrivateNote key={`note-${account.id}`} account={account} />}
      </div>
    </section>
  );
}

/** Members post to a group by mentioning it. */
function PostToGroup({ account }: { readonly account: Account }) {
  if (relationshipOf(account.id).value?.following !== true) return null;
  return (
    <a class="button quiet" href={`/publish?text=${encodeURIComponent(`@${account.acct} `)}`}>
      {t('profile.postToGroup')}
    </a>
  );
}

const formatDay = (time: string): string =>
  new Date(time).toLocaleDateString(locale.value, { day: 'numeric', month: 'long', year: 'numeric' });

function Handle({ account }: { readonly account: Account }) {
  const full = account.acct.includes('@') ? account.acct : `${account.acct}@${new URL(account.url).host}`;
  return (
    <p class="profile-handle soft">
      <bdi>@{full}</bdi>
      <button
        type="button"
        class="icon-button"
        aria-label={t('profile.copyHandle')}
        title={t('profile.copyHandle')}
        onClick={() => void copyText(`@${full}`, t('profile.handleCopied'))}
      >
        <Icon svg={copy} />
      </button>
    </p>
  );
}
