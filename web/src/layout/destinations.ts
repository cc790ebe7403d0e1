import bell from '@phosphor-icons/core/regular/bell.svg?raw';
import bookmark from '@phosphor-icons/core/regular/bookmark-simple.svg?raw';
import chats from '@phosphor-icons/core/regular/chats-circle.svg?raw';
import clock from '@phosphor-icons/core/regular/clock-counter-clockwise.svg?raw';
import compass from '@phosphor-icons/core/regular/compass.svg?raw';
import gear from '@phosphor-icons/core/regular/gear-six.svg?raw';
import house from '@phosphor-icons/core/regular/house.svg?raw';
import list from '@phosphor-icons/core/regular/list-bullets.svg?raw';
import shield from '@phosphor-icons/core/regular/shield-check.svg?raw';
import star from '@phosphor-icons/core/regular/star.svg?raw';
import users from '@phosphor-icons/core/regular/users-three.svg?raw';
import { t } from '../i18n/translate.tsx';
import { isStaff } from '../session/permissions.ts';
import { unreadCount, waitingCount } from '../unread/index.ts';

/** A place in the navigation. */
export interface Destination {
  readonly path: string;
  readonly icon: string;
  readonly label: string;
}

/** Returns aria-current of a link to `target` on a page: also pages below the target belong to it. */
export function currentOf(path: string, target: string): { readonly 'aria-current'?: 'page' | 'true' } {
  if (path === target) return { 'aria-current': 'page' };
  return target !== '/' && path.startsWith(`${target}/`) ? { 'aria-current': 'true' } : {};
}

/** Returns the name of a link to a place for screen readers, which has the number of what is new there. */
export function nameOfLink(target: string, label: string): string {
  const [unread, waiting] = [unreadCount.value, waitingCount.value];
  if (target === '/notifications' && unread > 0) return t('nav.notificationsUnread', { count: unread });
  return target === '/moderation' && waiting > 0 ? t('nav.moderationWaiting', { count: waiting }) : label;
}

/** Returns the places of the navigation, in order. Staff also see moderation. */
export function destinations(): readonly Destination[] {
  return [
    { path: '/', icon: house, label: t('nav.home') },
    { path: '/notifications', icon: bell, label: t('nav.notifications') },
    { path: '/catch-up', icon: clock, label: t('nav.catchUp') },
    { path: '/explore', icon: compass, label: t('nav.explore') },
    { path: '/public/local', icon: users, label: t('nav.live') },
    { path: '/conversations', icon: chats, label: t('nav.conversations') },
    { path: '/lists', icon: list, label: t('nav.lists') },
    { path: '/bookmarks', icon: bookmark, label: t('nav.bookmarks') },
    { path: '/favourites', icon: star, label: t('nav.favourites') },
    { path: '/preferences', icon: gear, label: t('nav.preferences') },
    ...(isStaff() ? [{ path: '/moderation', icon: shield, label: t('nav.moderation') }] : []),
  ];
}
