import { encodeInteractionPolicy, openPolicy, type InteractionGroup } from '../../interactions/policy/index.ts';
import { isRow, type ImportedRow } from '../table-import.ts';

/** Groups with the same meaning on both sides. The author is always permitted. */
const groupNames: readonly InteractionGroup[] = ['public', 'followers', 'following', 'mentioned'];

/**
 * Returns the stored form of an interaction policy of GoToSocial; null if there is none, or if it permits everyone. Mutual
 * followers, which are no group here, need approval as followers do.
 */
export function encodePolicy(policy: unknown): number | null {
  if (!isRow(policy)) return null;
  const rules = (name: string, missing: typeof openPolicy.reply): typeof openPolicy.reply => {
    const value = policy[name];
    if (!isRow(value)) return missing;
    const always = namesIn(value, 'Always');
    const automatic = groupNames.filter((group) => always.includes(group));
    const withApproval = [...namesIn(value, 'WithApproval'), ...(always.includes('mutuals') ? ['followers'] : [])];
    if (automatic.includes('public')) return { automatic: ['public'], manual: [] };
    return {
      automatic,
      manual: groupNames.filter((group) => withApproval.includes(group) && !automatic.includes(group)),
    };
  };
  return encodeInteractionPolicy({
    favourite: rules('CanLike', openPolicy.favourite),
    reply: rules('CanReply', openPolicy.reply),
    reblog: rules('CanAnnounce', openPolicy.reblog),
  });
}

function namesIn(rules: ImportedRow, name: string): readonly string[] {
  const value = rules[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}
