import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadUserSettings, updateUserSettings } from '../../users/settings/index.ts';
import { parsePolicyInput, presentPolicy } from './api-policy.ts';
import type { DefaultPolicies, InteractionPolicyInput } from './schema.ts';

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;

/** Returns the policies that new posts of a local account have by default. */
export async function loadDefaultPolicies(app: App, accountId: AccountId): Promise<DefaultPolicies> {
  const { default_interaction_policies: policies } = await loadUserSettings(app, accountId);
  const presented = visibilities.map((visibility) => [visibility, presentPolicy(policies[visibility] ?? null)]);
  return Object.fromEntries(presented) as DefaultPolicies;
}

type Changes = Partial<Record<(typeof visibilities)[number], InteractionPolicyInput | null | undefined>>;

/** Replaces the default policies of a local account. Those that are missing or null permit everyone. */
export async function replaceDefaultPolicies(app: App, accountId: AccountId, policies: Changes): Promise<void> {
  const stored = visibilities.flatMap((visibility) => {
    const policy = parsePolicyInput(policies[visibility] ?? {});
    return policy === null ? [] : [[visibility, policy] as const];
  });
  await transaction(app, (tx) =>
    updateUserSettings(tx, accountId, { default_interaction_policies: Object.fromEntries(stored) }),
  );
}
