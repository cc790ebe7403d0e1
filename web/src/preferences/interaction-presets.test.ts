import { expect, test } from 'vitest';
import type { DefaultInteractionPolicies, InteractionPolicy, InteractionPolicyRules } from '../api/entities.ts';
import { presetOf, withPreset } from './interaction-presets.ts';

type Groups = InteractionPolicyRules['automatic_approval'];

const rules = (automatic: Groups, manual: Groups = []): InteractionPolicyRules => ({
  automatic_approval: automatic,
  manual_approval: manual,
  always: automatic,
  with_approval: manual,
});
const open: InteractionPolicy = {
  can_reply: rules(['public']),
  can_favourite: rules(['public']),
  can_reblog: rules(['public']),
};
const policies: DefaultInteractionPolicies = {
  public: { ...open, can_reblog: rules(['author', 'following']) },
  unlisted: open,
  private: open,
  direct: { ...open, can_favourite: rules(['author']) },
};

test('FED-02 default policies are chosen for each visibility; rules of apps are kept', () => {
  expect(presetOf(policies.public.can_reblog)).toBe('custom');
  const changed = withPreset(
    withPreset(withPreset(policies, 'public', 'can_reply', 'followersOrAsk'), 'public', 'can_favourite', 'nobody'),
    'private',
    'can_reblog',
    'ask',
  );
  expect(changed).toEqual({
    public: {
      can_reply: rules(['author', 'followers'], ['public']),
      can_favourite: rules(['author']),
      can_reblog: rules(['author', 'following']),
    },
    unlisted: open,
    private: { ...open, can_reblog: rules(['author'], ['public']) },
    direct: policies.direct,
  });
  const replaced = withPreset(changed, 'public', 'can_reblog', 'everyone');
  expect(replaced.public.can_reblog).toEqual(rules(['public']));
  expect(presetOf(replaced.public.can_reply)).toBe('followersOrAsk');
  expect(presetOf(rules(['followers', 'author']))).toBe('followers');
});
