import type { DefaultInteractionPolicies, InteractionPolicyRules } from '../api/entities.ts';

/** What others can do with a post. */
export const interactions = ['can_reply', 'can_favourite', 'can_reblog'] as const;
type Interaction = (typeof interactions)[number];

type Rules = Pick<InteractionPolicyRules, 'automatic_approval' | 'manual_approval'>;

const presets = {
  everyone: { automatic_approval: ['public'], manual_approval: [] },
  followers: { automatic_approval: ['author', 'followers'], manual_approval: [] },
  followersOrAsk: { automatic_approval: ['author', 'followers'], manual_approval: ['public'] },
  ask: { automatic_approval: ['author'], manual_approval: ['public'] },
  nobody: { automatic_approval: ['author'], manual_approval: [] },
} as const satisfies Record<string, Rules>;

/** A rule that the page offers. Rules that another app set stay as they are. */
export type Preset = keyof typeof presets;
export const presetNames = Object.keys(presets) as Preset[];

/** Returns the preset with the same approvals. */
export function presetOf(rules: Rules): Preset | 'custom' {
  const isSame = (a: readonly string[], b: readonly string[]): boolean => a.toSorted().join() === b.toSorted().join();
  const { automatic_approval: automatic, manual_approval: manual } = rules;
  const found = presetNames.find(
    (name) => isSame(presets[name].automatic_approval, automatic) && isSame(presets[name].manual_approval, manual),
  );
  return found ?? 'custom';
}

/** Returns the policies with another rule for an interaction with posts of a visibility. */
export function withPreset(
  policies: DefaultInteractionPolicies,
  visibility: keyof DefaultInteractionPolicies,
  interaction: Interaction,
  preset: Preset,
): DefaultInteractionPolicies {
  const { automatic_approval: automatic, manual_approval: manual } = presets[preset];
  // The API has both names of each list.
  const rules = { automatic_approval: automatic, manual_approval: manual, always: automatic, with_approval: manual };
  return { ...policies, [visibility]: { ...policies[visibility], [interaction]: rules } };
}
