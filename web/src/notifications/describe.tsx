import type { ComponentChildren } from 'preact';
import type { Account, Status } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import type { ShownGroup } from './group-notifications.ts';

/** Texts about one person and, for groups, about further ones. */
const textsOfSenders = {
  'admin.sign_up': ['notifications.signUp', 'notifications.signUps'],
  favourite: ['notifications.favourite', 'notifications.favourites'],
  follow: ['notifications.follow', 'notifications.follows'],
  reblog: ['notifications.reblog', 'notifications.reblogs'],
} as const;

/** Texts that need only the name. */
const textsOfName = {
  follow_request: 'notifications.followRequest',
  mention: 'notifications.mention',
  quote: 'notifications.quote',
  quoted_update: 'notifications.quotedUpdate',
  status: 'notifications.status',
  update: 'notifications.update',
} as const;

/** Returns what happened, in words. `name` is the newest sender, as an element. */
export function describe(group: ShownGroup, name: ComponentChildren, sender: Account): ComponentChildren {
  const { type, count, about } = group;
  if (isNameOf(textsOfName, type)) return tx(textsOfName[type], { name });
  if (isNameOf(textsOfSenders, type)) {
    const [one, many] = textsOfSenders[type];
    return count > 1 ? tx(many, { name, count: count - 1 }) : tx(one, { name });
  }
  switch (type) {
    case 'poll':
      return sender.id === me.value.id ? t('notifications.ownPoll') : tx('notifications.poll', { name });
    case 'added_to_collection':
      return tx('notifications.addedToCollection', { name, title: titleOf(about) });
    case 'collection_update':
      return tx('notifications.collectionUpdate', { name, title: titleOf(about) });
    default:
      return describeStaffAction(group, name, sender);
  }
}

const titleOf = ({ collection }: ShownGroup['about']): string => collection?.name ?? '';

/** What staff did, or have to do; and types that this client does not know. */
function describeStaffAction({ type, about }: ShownGroup, name: ComponentChildren, sender: Account): ComponentChildren {
  switch (type) {
    case 'admin.report':
      return tx(isLocalGroup(sender) ? 'notifications.groupReport' : 'notifications.report', {
        name,
        target: `@${about.report?.target_account.acct ?? ''}`,
      });
    case 'severed_relationships':
      return tx('notifications.severed', { target: about.event?.target_name ?? '' });
    case 'moderation_warning':
      return t(`notifications.warning_${about.moderation_warning?.action ?? 'none'}`);
    default:
      return about.fallback?.title ?? t('notifications.unknown');
  }
}

const isNameOf = <Texts extends object>(texts: Texts, type: string): type is string & keyof Texts =>
  Object.hasOwn(texts, type);

/** Returns the path that a group leads to. */
export function linkOf({ type, about }: ShownGroup, sender: Account, status: Status | undefined): string {
  switch (type) {
    case 'admin.report':
      return reportLink(about, sender);
    case 'admin.sign_up':
      return `/moderation/accounts/${sender.id}`;
    case 'follow_request':
      return '/follow_requests';
    case 'severed_relationships':
      return '/notifications';
    case 'moderation_warning':
      return '/settings/strikes';
    case 'added_to_collection':
    case 'collection_update':
      return `/collections/${about.collection?.id ?? ''}`;
    default:
      return status === undefined ? `/@${sender.acct}` : `/@${status.account.acct}/${status.id}`;
  }
}

/** A report about a post of a group comes from the group, whose moderators do not learn who reports. */
const isLocalGroup = ({ group, acct }: Account): boolean => group && !acct.includes('@');

/** Staff open the report. Moderators of a group open the post, which they can remove from it. */
function reportLink({ report }: ShownGroup['about'], sender: Account): string {
  if (!isLocalGroup(sender)) return `/moderation/reports/${report?.id ?? ''}`;
  const statusId = report?.status_ids?.[0];
  return report === undefined || statusId === undefined
    ? `/preferences/groups/${sender.id}`
    : `/@${report.target_account.acct}/${statusId}`;
}
