import { Type } from 'typebox';
import { get, patch } from '../../platform/http/routes.ts';
import { loadDefaultPolicies, replaceDefaultPolicies } from './default-policies.ts';
import { DefaultPolicies, InteractionPolicyInput } from './schema.ts';

const policy = Type.Optional(Type.Union([InteractionPolicyInput, Type.Null()]));

export const policyRoutes = [
  get('/api/v1/interaction_policies/defaults', {
    summary: 'Show who may interact with new posts of the current user by default',
    access: 'user',
    scope: 'read|read:accounts',
    response: DefaultPolicies,
    handle: ({ app, viewer }) => loadDefaultPolicies(app, viewer.accountId),
  }),

  patch('/api/v1/interaction_policies/defaults', {
    summary: 'Change who may interact with new posts by default. Omitted visibilities permit everyone',
    access: 'user',
    scope: 'write|write:accounts',
    input: Type.Object({ public: policy, unlisted: policy, private: policy, direct: policy }),
    response: DefaultPolicies,
    async handle({ app, viewer, input }) {
      await replaceDefaultPolicies(app, viewer.accountId, input);
      return loadDefaultPolicies(app, viewer.accountId);
    },
  }),
];
