import type { FeatureAudience } from './tables.ts';

/** Who may put an account into a collection: at once, and once its own server agreed (FEP-7aa9 `canFeature`). */
export interface FeaturePolicy {
  readonly automatic: readonly FeatureAudience[];
  readonly manual: readonly FeatureAudience[];
}

/** What happens when somebody puts an account into a collection; `unknown`: its rule is none that we can tell. */
export type FeatureApproval = 'automatic' | 'manual' | 'denied' | 'unknown' | 'missing';

/** Relation between the viewer and the account to be featured. */
export interface ViewerRelation {
  /** The viewer is the account. */
  readonly isSelf: boolean;
  /** The viewer follows the account. */
  readonly isFollower: boolean;
  /** The account follows the viewer. */
  readonly isFollowed: boolean;
}

const stranger: ViewerRelation = { isSelf: false, isFollower: false, isFollowed: false };

export const emptyFeaturePolicy: FeaturePolicy = { automatic: [], manual: [] };

interface FeaturePolicyColumns {
  readonly domain: string | null;
  readonly discoverable: boolean | null;
  readonly locked: boolean;
  readonly feature_automatic: readonly FeatureAudience[] | null;
  readonly feature_manual: readonly FeatureAudience[] | null;
}

/**
 * The rule of an account. One of this server that lets itself be discovered agrees to be featured: by everybody, or by its
 * followers when it approves these. Undefined for a remote one that does not say.
 */
export function featurePolicyOf(facts: FeaturePolicyColumns): FeaturePolicy | undefined {
  if (facts.domain === null) {
    return facts.discoverable === true
      ? { automatic: [facts.locked ? 'followers' : 'public'], manual: [] }
      : emptyFeaturePolicy;
  }
  if (facts.feature_automatic === null || facts.feature_manual === null) return undefined;
  return { automatic: facts.feature_automatic, manual: facts.feature_manual };
}

/** What a rule means for somebody; without a relation, for a stranger. */
export function featureApprovalFor(
  policy: FeaturePolicy | undefined,
  relation: ViewerRelation = stranger,
): FeatureApproval {
  if (policy === undefined) return 'missing';
  const { automatic, manual } = policy;
  const fits = (audience: FeatureAudience): boolean =>
    audience === 'public' ||
    (audience === 'followers' && relation.isFollower) ||
    (audience === 'following' && relation.isFollowed);
  if (automatic.some(fits) || (relation.isSelf && automatic.length > 0)) return 'automatic';
  if (manual.some(fits)) return 'manual';
  return [...automatic, ...manual].includes('unsupported_policy') ? 'unknown' : 'denied';
}

/** Says whether what a rule means hangs on who follows whom. */
export function dependsOnFollows({ automatic, manual }: FeaturePolicy): boolean {
  return [...automatic, ...manual].some((audience) => audience === 'followers' || audience === 'following');
}
