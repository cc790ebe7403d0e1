// Relations between accounts, and what they hide or allow.
export {
  blocksDomain,
  blocksDomainOfSql,
  blocksDomainSql,
  blocksSql,
  followsSql,
  hidesNotifications,
  hidesNotificationsSql,
  isHiddenSql,
  isUnwanted,
  isUnwantedSql,
  listHiddenIds,
  mutesNotificationsSql,
  unwantedBySql,
  type AccountSql,
} from './relation-rules.ts';
export {
  loadFollowedIds,
  loadFollowersAmong,
  loadRelationsOf,
  isFollowing,
  type Relations,
  loadAccountRelations,
} from './relations.ts';
