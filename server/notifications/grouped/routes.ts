import { Type } from 'typebox';
import { Account } from '../../accounts/index.ts';
import { presentAccounts } from '../../accounts/present/index.ts';
import { badRequest } from '../../platform/http/http-errors.ts';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { clampLimit, pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post } from '../../platform/http/routes.ts';
import {
  limits,
  notificationFilterInput,
  parseFilter,
  readAccess,
  supportedTypesInput,
  unreadLimits,
  writeAccess,
  type FilterInput,
} from '../route-input.ts';
import {
  countUnreadGroups,
  dismissGroup,
  listGroupMembers,
  listGroups,
  requireGroup,
  type GroupFilter,
} from './list-groups.ts';
import { presentGroups, type GroupPresentation } from './present-groups.ts';
import { GroupedNotificationsResults } from './schema.ts';

const memberPageInput = Type.Omit(Type.Object(pageInput(limits)), ['min_id']);
const params = Type.Object({ group_key: Type.String() });

const groupFilterInput = {
  ...notificationFilterInput,
  grouped_types: Type.Optional(
    Type.Array(Type.String(), { description: 'Types to group; every type that can be grouped if absent' }),
  ),
};

const parseGroupFilter = (input: FilterInput & { grouped_types?: string[] }): GroupFilter => ({
  ...parseFilter(input),
  groupedTypes: input.grouped_types,
});

/** Throws 400 for an unknown value. */
function parseExpandAccounts(value = 'full'): GroupPresentation['accounts'] {
  if (value === 'full') return 'full';
  if (value === 'partial_avatars') return 'partialAvatars';
  throw badRequest('notifications.invalidExpandAccounts');
}

export const groupedRoutes = [
  get('/api/v2/notifications', {
    summary: 'List your notifications in groups',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      ...groupFilterInput,
      ...supportedTypesInput,
      expand_accounts: Type.Optional(Type.String({ description: '`full` (default) or `partial_avatars`' })),
    }),
    response: GroupedNotificationsResults,
    async handle({ app, viewer, input, request }) {
      const accounts = parseExpandAccounts(input.expand_accounts);
      const page = await listGroups(app, viewer.accountId, parseGroupFilter(input), parsePage(input, limits));
      const presentation = { accounts, isList: true, supportedTypes: input.supported_types };
      const json = await presentGroups(app, viewer, page.groups, presentation);
      return paginated(app, request, { json, first: page.first, last: page.last, more: true });
    },
  }),
  get('/api/v2/notifications/unread_count', {
    summary: 'Count your unread groups of notifications',
    hasEtag: true,
    ...readAccess,
    input: Type.Object({ limit: pageInput(unreadLimits).limit, ...groupFilterInput }),
    response: Type.Object({ count: Type.Integer() }),
    async handle({ app, viewer, input }) {
      const limit = clampLimit(input.limit, unreadLimits);
      return { count: await countUnreadGroups(app, viewer.accountId, parseGroupFilter(input), limit) };
    },
  }),
  get('/api/v2/notifications/:group_key', {
    summary: 'Show a group of notifications',
    ...readAccess,
    params,
    input: Type.Object(supportedTypesInput),
    response: GroupedNotificationsResults,
    async handle({ app, viewer, params, input }) {
      const group = await requireGroup(app, viewer.accountId, params.group_key);
      const presentation = { accounts: 'full', isList: false, supportedTypes: input.supported_types } as const;
      return presentGroups(app, viewer, [group], presentation);
    },
  }),
  get('/api/v2/notifications/:group_key/accounts', {
    summary: 'List the accounts in a group of notifications',
    ...readAccess,
    params,
    input: memberPageInput,
    response: Type.Array(Account),
    async handle({ app, viewer, params, input, request }) {
      const page = parsePage(input, limits);
      const members = await listGroupMembers(app, viewer.accountId, params.group_key, page);
      const senderIds = members.rows.map((row) => row.from_account_id);
      const json = joinJsonList(await presentAccounts(app, viewer, senderIds));
      const more = members.ids.length === page.limit;
      return paginated(app, request, { json, first: members.first, last: members.last, more, newer: 'since_id' });
    },
  }),
  post('/api/v2/notifications/:group_key/dismiss', {
    summary: 'Delete a group of notifications',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params }) {
      await dismissGroup(app, viewer.accountId, params.group_key);
      return {};
    },
  }),
];
