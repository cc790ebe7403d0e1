import { Type } from 'typebox';
import { pageInput } from '../../platform/http/pages.ts';
import { get, post, put } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { InteractionPolicyInput, parsePolicyInput } from '../../interactions/policy/index.ts';
import { QuotePolicyInput } from '../../quotes/policy/index.ts';
import { changePolicies } from './change-policies.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import { listQuotes } from './list-quotes.ts';
import { presentStatus } from '../read/present-statuses.ts';
import { revokeQuote } from './revoke-quote.ts';
import { Status } from '../schema.ts';

const params = Type.Object({ id: idSchema<'status'>() });

export const quoteRoutes = [
  get('/api/v1/statuses/:id/quotes', {
    summary: 'List the statuses that quote a status',
    access: 'app',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    params,
    input: Type.Object(pageInput({ defaultLimit: 20, maxLimit: 40 })),
    response: Type.Array(Status),
    handle: ({ app, viewer, params: { id }, input, request }) =>
      listQuotes(app, request, viewer, { statusId: id, input }),
  }),

  post('/api/v1/statuses/:id/quotes/:quoting_status_id/revoke', {
    summary: 'Revoke the quote of a status of the viewer',
    access: 'user',
    scope: 'write|write:statuses',
    params: Type.Object({ id: idSchema<'status'>(), quoting_status_id: idSchema<'status'>() }),
    response: Status,
    async handle({ app, viewer, params: { id, quoting_status_id: quotingId } }) {
      await revokeQuote(app, viewer.accountId, id, quotingId);
      await requireVisibleStatus(app, viewer.accountId, quotingId);
      return presentStatus(app, viewer, quotingId);
    },
  }),

  put('/api/v1/statuses/:id/interaction_policy', {
    summary: 'Change who may quote, favourite, reply to and reblog a status of the current user',
    access: 'user',
    scope: 'write|write:statuses',
    rateLimit: 'statuses',
    params,
    input: Type.Object({
      quote_approval_policy: Type.Optional(QuotePolicyInput),
      interaction_policy: Type.Optional(InteractionPolicyInput),
    }),
    response: Status,
    async handle({ app, viewer, params: { id }, input }) {
      const { quote_approval_policy: quotePolicy, interaction_policy: interactionPolicy } = input;
      const change = interactionPolicy && { interactionPolicy: parsePolicyInput(interactionPolicy) };
      await changePolicies(app, viewer.accountId, id, { quotePolicy, ...change });
      return presentStatus(app, viewer, id);
    },
  }),
];
