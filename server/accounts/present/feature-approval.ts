/** An audience in a feature policy; `unsupported_policy`: any other one. */
export type FeatureAudience = 'public' | 'followers' | 'following' | 'unsupported_policy';

/** Who may feature an account in a collection, without and with its approval (FEP-7aa9 `canFeature`). */
export interface FeaturePolicy {
  readonly automatic: readonly FeatureAudience[];
  readonly manual: readonly FeatureAudience[];
}

/** Result of adding an account to a collection; `unknown`: its policy is unsupported, `missing`: it has none. */
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
 * Returns the feature policy of an account. A discoverable local account may be featured by everyone; a locked one by its
 * followers. Undefined for a remote account without a policy.
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

/** Returns what a policy means for a viewer; without a relation, for a stranger. */
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

/** Returns whether the result of a policy depends on follows. */
export function dependsOnFollows({ automatic, manual }: FeaturePolicy): boolean {
  return [...automatic, ...manual].some((audience) => audience === 'followers' || audience === 'following');
}
