import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isFollowing } from '../../relationships/rules/index.ts';
import {
  dependsOnFollows,
  interactionPermission,
  type Interaction,
  type InteractionPermission,
} from './interaction-policy.ts';

/** The facts of a status that decide who may interact with it. */
export interface RestrictedStatus {
  readonly accountId: AccountId;
  readonly inReplyToAccountId: AccountId | null;
  readonly mentionedIds: readonly AccountId[];
  /** Encoded by `encodeInteractionPolicy`; null: everyone is permitted. */
  readonly interactionPolicy: number | null;
}

/**
 * Returns whether the local or remote `accountId` may interact with a status that it can see. Queries only if the policy
 * depends on follows.
 */
export async function loadInteractionPermission(
  app: App,
  accountId: AccountId,
  status: RestrictedStatus,
  interaction: Interaction,
): Promise<InteractionPermission> {
  const { accountId: authorId, interactionPolicy: policy } = status;
  if (policy === null) return 'automatic';
  const [isFollower, isFollowed] = dependsOnFollows(policy, interaction)
    ? await Promise.all([isFollowing(app, accountId, authorId), isFollowing(app, authorId, accountId)])
    : [false, false];
  return interactionPermission(policy, interaction, { ...factsOf(accountId, status), isFollower, isFollowed });
}

/**
 * Returns whether a remote account may interact with a remote status. The follows between them are unknown, so `manual` if
 * it depends on them: their servers decide.
 */
export function remoteInteractionPermission(
  accountId: AccountId,
  status: RestrictedStatus,
  interaction: Interaction,
): InteractionPermission {
  const facts = factsOf(accountId, status);
  const [asStranger, asFriend] = [false, true].map((isRelated) =>
    interactionPermission(status.interactionPolicy, interaction, {
      ...facts,
      isFollower: isRelated,
      isFollowed: isRelated,
    }),
  ) as [InteractionPermission, InteractionPermission];
  if (asStranger === 'automatic') return asStranger;
  return asFriend === 'denied' ? 'denied' : 'manual';
}

const factsOf = (accountId: AccountId, status: RestrictedStatus) => ({
  isAuthor: status.accountId === accountId,
  isMentioned: status.mentionedIds.includes(accountId) || status.inReplyToAccountId === accountId,
});

/** Returns whether other servers cannot know that the author permits an interaction, unless they see a proof. */
export const needsProof = (status: RestrictedStatus, accountId: AccountId, interaction: Interaction): boolean =>
  remoteInteractionPermission(accountId, status, interaction) !== 'automatic';
