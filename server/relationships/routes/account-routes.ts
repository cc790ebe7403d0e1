import { Type } from 'typebox';
import { Account } from '../../accounts/index.ts';
import { findAccountByAcct, requireAccount } from '../../accounts/find/index.ts';
import { queueOutboxRead, recordAccountView } from '../../accounts/remote/index.ts';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { notFound, unprocessable } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { presentAccountFor, presentAccountsFor } from '../read/present-accounts-for.ts';

const params = Type.Object({ id: idSchema<'account'>() });
const scope = 'read|read:accounts';
const maxIds = 40;

export const accountRoutes: Route[] = [
  get('/api/v1/accounts', {
    summary: 'Show several accounts at once',
    access: 'anyone',
    readsReplica: 'always',
    scope,
    input: Type.Object({ id: Type.Optional(Type.Array(idSchema<'account'>())) }),
    response: Type.Array(Account),
    handle: async ({ app, viewer, input: { id = [] } }) => {
      const ids = [...new Set(id)];
      if (ids.length > maxIds) throw unprocessable('relationships.tooManyRequested', { max: maxIds });
      return joinJsonList(await presentAccountsFor(app, viewer, ids));
    },
  }),

  get('/api/v1/accounts/lookup', {
    summary: 'Find a stored account by its handle',
    access: 'anyone',
    readsReplica: 'always',
    scope,
    input: Type.Object({ acct: Type.String() }),
    response: Account,
    handle: async ({ app, viewer, input }) => {
      const account = await findAccountByAcct(app, input.acct);
      if (account === undefined) throw notFound();
      return presentAccountFor(app, viewer, account.id);
    },
  }),

  get('/api/v1/accounts/:id', {
    summary: 'Show an account',
    access: 'anyone',
    readsReplica: 'always',
    scope,
    params,
    response: Account,
    async handle({ app, viewer, params: { id } }) {
      const account = await presentAccountFor(app, viewer, id);
      if (viewer !== undefined) await Promise.all([recordAccountView(app, id), queueOutboxRead(app, id)]);
      return account;
    },
  }),

  get('/api/v1/accounts/:id/identity_proofs', {
    summary: 'List identity proofs, which no server has had since 2022',
    access: 'user',
    params,
    response: Type.Array(Type.Object({})),
    deprecatedSince: '2022-03-30',
    handle: async ({ app, params: { id } }) => {
      await requireAccount(app, id);
      return [];
    },
  }),
];
