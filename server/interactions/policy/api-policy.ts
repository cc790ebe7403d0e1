import {
  decodeInteractionPolicy,
  encodeInteractionPolicy,
  openPolicy,
  type InteractionGroup,
  type InteractionRules,
} from './interaction-policy.ts';
import type { InteractionPolicyEntity, InteractionPolicyInput, RulesInput } from './schema.ts';

/**
 * Returns the stored form of a policy in a request; null: everyone is permitted. `author` and `me` change nothing, because
 * the author is always permitted. Groups beside `public` are left out, and `mutuals` are not supported.
 */
export function parsePolicyInput(input: InteractionPolicyInput): number | null {
  return encodeInteractionPolicy({
    favourite: parseRules(input.can_favourite, openPolicy.favourite),
    reply: parseRules(input.can_reply, openPolicy.reply),
    reblog: parseRules(input.can_reblog, openPolicy.reblog),
  });
}

function parseRules(input: RulesInput | undefined, missing: InteractionRules): InteractionRules {
  const automatic = input?.automatic_approval ?? input?.always;
  const manual = input?.manual_approval ?? input?.with_approval;
  if (automatic === undefined && manual === undefined) return missing;
  const permitted = parseGroups(automatic ?? []);
  const asked = parseGroups(manual ?? []).filter((group) => !permitted.includes(group));
  return { automatic: permitted, manual: asked };
}

function parseGroups(values: readonly string[]): InteractionGroup[] {
  if (values.includes('public')) return ['public'];
  const supported: readonly InteractionGroup[] = ['followers', 'following', 'mentioned'];
  return supported.filter((group) => values.includes(group));
}

/** Returns a stored policy as apps read it. */
export function presentPolicy(stored: number | null): InteractionPolicyEntity {
  const { favourite, reply, reblog } = decodeInteractionPolicy(stored);
  return { can_favourite: presentRules(favourite), can_reply: presentRules(reply), can_reblog: presentRules(reblog) };
}

function presentRules({ automatic, manual }: InteractionRules): InteractionPolicyEntity['can_reply'] {
  const always = automatic.includes('public') ? (['public'] as const) : (['author', ...named(automatic)] as const);
  const withApproval = named(manual);
  return {
    automatic_approval: [...always],
    manual_approval: withApproval,
    always: [...always],
    with_approval: withApproval,
  };
}

/** Accounts that only the server of the author can name are left out. */
const named = (groups: readonly InteractionGroup[]) =>
  groups.flatMap((group) => (group === 'unsupported' ? [] : [group]));
