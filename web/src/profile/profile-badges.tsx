import arrows from '@phosphor-icons/core/regular/arrows-left-right.svg?raw';
import flower from '@phosphor-icons/core/regular/flower.svg?raw';
import lock from '@phosphor-icons/core/regular/lock-simple.svg?raw';
import robot from '@phosphor-icons/core/regular/robot.svg?raw';
import speakerX from '@phosphor-icons/core/regular/speaker-x.svg?raw';
import users from '@phosphor-icons/core/regular/users-three.svg?raw';
import warning from '@phosphor-icons/core/regular/warning.svg?raw';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { relationshipOf } from '../store/relationships.ts';
import { me } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import './profile-header.css';

interface Badge {
  readonly label: string;
  readonly icon?: string;
}

/** What kind of account it is, and how it relates to the reader, in short words. */
export function ProfileBadges({ account }: { readonly account: Account }) {
  const badges = [...ofAccount(account), ...(account.id === me.value.id ? [] : ofRelationship(account.id))];
  if (badges.length === 0) return null;
  return (
    <ul class="profile-badges" aria-label={t('profile.badges')}>
      {badges.map(({ label, icon }) => (
        <li key={label} class="badge">
          {icon !== undefined && <Icon svg={icon} />}
          {label}
        </li>
      ))}
    </ul>
  );
}

function ofAccount(account: Account): readonly Badge[] {
  return [
    ...(account.roles ?? []).map(({ name }) => ({ label: name })),
    ...(account.memorial === true ? [{ label: t('profile.memorial'), icon: flower }] : []),
    ...(account.bot ? [{ label: t('profile.bot'), icon: robot }] : []),
    ...(account.group ? [{ label: t('profile.group'), icon: users }] : []),
    ...(account.locked ? [{ label: t('profile.locked'), icon: lock }] : []),
    ...(account.limited === true ? [{ label: t('profile.limitedBadge'), icon: warning }] : []),
  ];
}

function ofRelationship(id: string): readonly Badge[] {
  const relationship = relationshipOf(id).value;
  if (relationship === undefined) return [];
  const { followed_by: isFollower, following, muting, endorsed } = relationship;
  return [
    ...(isFollower && following ? [{ label: t('profile.mutual'), icon: arrows }] : []),
    ...(isFollower && !following ? [{ label: t('people.followsYou') }] : []),
    ...(endorsed ? [{ label: t('profile.endorsed') }] : []),
    ...(muting ? [{ label: t('profile.muted'), icon: speakerX }] : []),
  ];
}
