// Who may see a status, and where it is listed.
export { isCountedReplySql, isInFollowerAudienceSql, isReadableSql } from './visibility-sql.ts';
export {
  canSee,
  isPublicOrUnlisted,
  isShown,
  plainVisibility,
  staysHere,
  visibilityToOthers,
  type ListingFacts,
  type Surface,
} from './visibility.ts';
