// Follows and follow requests.
export { followForEveryone, type FollowForEveryoneResult } from './follow-for-everyone.ts';
export { followIfPossible } from './follow-if-possible.ts';
export { followAccount, type FollowOptions } from './follow-account.ts';
export { followsOrRequestsSql } from './follows-or-requests-sql.ts';
export { isInLanguagesSql } from './is-in-languages-sql.ts';
export { acceptFollowRequest, rejectFollowRequest } from './follow-requests.ts';
export { reopenFollowRequest } from './reopen-follow-request.ts';
export { resetRelationships, type RelationshipReset } from './reset-relationships.ts';
export { removeFollower, unfollowAccount } from './unfollow-account.ts';
