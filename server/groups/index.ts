// Groups: local accounts that boost what their members post to them, with moderators (docs/groups.md).
import type { AnyCache, Subscription } from '../platform/write/subscriptions.ts';
import { later } from '../platform/write/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { statusCreated } from '../statuses/index.ts';
import { considerPosts } from './consider-posts.ts';
import { deleteOfAccount } from './delete-of-account.ts';
import { groupPostAccepted } from './events.ts';
import { namesCache } from './group-names.ts';
import { boostPost } from './group-posts.ts';

export { considerPosts } from './consider-posts.ts';
export { findGroupsOfPost, takeActivity, type AnnouncedPost } from './announced-posts.ts';
export { groupPostAccepted, groupPostRemoved, groupPostWaiting, groupsChanged } from './events.ts';
export { loadGroupNames, peekHasGroups } from './group-names.ts';
export { findGroup, requireGroup } from './find-groups.ts';
export { findModeratedReports, findReportedGroups, listModerators } from './moderated-reports.ts';
export { routes } from './routes.ts';

/** What a new local post says about itself. Remote ones are considered as they arrive (`federation/inbox`). */
interface CreatedPost {
  readonly local: boolean;
  readonly direct: boolean;
  readonly mentions: boolean;
  readonly reply: boolean;
}

const mayConcernGroup = ({ local, direct, mentions, reply }: CreatedPost): boolean =>
  local && !direct && (mentions || reply);

export const caches: readonly AnyCache[] = [namesCache];

export const subscriptions: readonly Subscription[] = [
  later('default', [statusCreated], {
    name: 'groups.consider_posts',
    when: mayConcernGroup,
    runBatch: (app, created) =>
      considerPosts(
        app,
        created.map(({ statusId }) => statusId),
      ),
  }),
  later('default', [groupPostAccepted], { name: 'groups.boost_post', run: boostPost }),
  later('background', [accountDeleted], { name: 'groups.delete_of_account', run: deleteOfAccount }),
];
