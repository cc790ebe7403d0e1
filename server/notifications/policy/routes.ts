import { Type } from 'typebox';
import { get, patch, put } from '../../platform/http/routes.ts';
import { changePolicy, type Policy, type PolicyAction } from './policy.ts';
import { presentPolicy, presentV1Policy } from './present-policy.ts';
import { readAccess, writeAccess } from '../route-input.ts';
import { NotificationPolicy, V1NotificationPolicy } from './schema.ts';

/** The first form was replaced in Mastodon 4.3.0. */
const deprecatedSince = '2024-10-08';

const policyInput = Type.Partial(Type.Omit(NotificationPolicy, ['summary']));

const v1PolicyInput = Type.Object({
  filter_not_following: Type.Optional(Type.Boolean()),
  filter_not_followers: Type.Optional(Type.Boolean()),
  filter_new_accounts: Type.Optional(Type.Boolean()),
  filter_private_mentions: Type.Optional(Type.Boolean()),
  filter_bots: Type.Optional(Type.Boolean()),
});

/** Returns the setting of the second form, if there is one in the first. */
const toAction = <Name extends keyof Policy>(name: Name, isFiltered: boolean | undefined) =>
  isFiltered === undefined ? {} : { [name]: (isFiltered ? 'filter' : 'accept') satisfies PolicyAction };

export const policyRoutes = [
  get('/api/v2/notifications/policy', {
    summary: 'Show what happens to notifications from strangers',
    hasEtag: true,
    ...readAccess,
    response: NotificationPolicy,
    handle: ({ app, viewer }) => presentPolicy(app, viewer.accountId),
  }),
  patch('/api/v2/notifications/policy', {
    summary: 'Change what happens to notifications from strangers',
    ...writeAccess,
    input: policyInput,
    response: NotificationPolicy,
    async handle({ app, viewer, input }) {
      await changePolicy(app, viewer.accountId, input);
      return presentPolicy(app, viewer.accountId);
    },
  }),
  get('/api/v1/notifications/policy', {
    summary: 'Show whether notifications from strangers are filtered',
    hasEtag: true,
    ...readAccess,
    deprecatedSince,
    response: V1NotificationPolicy,
    handle: ({ app, viewer }) => presentV1Policy(app, viewer.accountId),
  }),
  put('/api/v1/notifications/policy', {
    summary: 'Change whether notifications from strangers are filtered',
    ...writeAccess,
    deprecatedSince,
    input: v1PolicyInput,
    response: V1NotificationPolicy,
    async handle({ app, viewer, input }) {
      await changePolicy(app, viewer.accountId, {
        ...toAction('for_not_following', input.filter_not_following),
        ...toAction('for_not_followers', input.filter_not_followers),
        ...toAction('for_new_accounts', input.filter_new_accounts),
        ...toAction('for_private_mentions', input.filter_private_mentions),
        ...toAction('for_bots', input.filter_bots),
      });
      return presentV1Policy(app, viewer.accountId);
    },
  }),
];
