import { Type } from 'typebox';
import { del, get, post, type Route } from '../platform/http/routes.ts';
import { CredentialAccount, presentCredentialAccount } from '../relationships/credentials/index.ts';
import { removeAliasByHandle, listAliases, addAliasByHandle } from './aliases.ts';
import { deleteOwnAccount } from './delete-own-account.ts';
import { moveOwnAccount, undoMove } from './move-own-account.ts';
import { Alias } from './schema.ts';

const scope = 'write|write:accounts';
const acct = Type.String({
  description: 'Handle of a local or remote account',
});
const password = Type.String({ description: 'Password of the user of the token' });

/** Routes to move or delete an account. Mastodon offers these on its web pages only. */
export const migrationRoutes: Route[] = [
  get('/api/v1/profile/aliases', {
    summary: 'List the accounts that may move to the account of the token',
    access: 'user',
    scope: 'read|read:accounts',
    response: Type.Array(Alias),
    handle: ({ app, viewer }) => listAliases(app, viewer.accountId),
  }),

  post('/api/v1/profile/aliases', {
    summary: 'Allow an account to move to the account of the token',
    access: 'user',
    scope,
    rateLimit: 'follows',
    input: Type.Object({ acct }),
    response: Type.Array(Alias),
    handle: async ({ app, viewer, input }) => {
      await addAliasByHandle(app, viewer.accountId, input.acct);
      return listAliases(app, viewer.accountId);
    },
  }),

  del('/api/v1/profile/aliases', {
    summary: 'Remove an alias of the account of the token',
    access: 'user',
    scope,
    input: Type.Object({ acct: Type.String({ description: 'Handle or URI of the alias' }) }),
    response: Type.Array(Alias),
    handle: async ({ app, viewer, input }) => {
      await removeAliasByHandle(app, viewer.accountId, input.acct);
      return listAliases(app, viewer.accountId);
    },
  }),

  post('/api/v1/profile/move', {
    summary: 'Move the account of the token to another one, with its followers; once in thirty days',
    access: 'user',
    scope,
    rateLimit: 'password-change',
    input: Type.Object({ acct, password }),
    response: CredentialAccount,
    handle: async ({ app, viewer, caller, input: { acct, password: current }, request: { ip } }) => {
      await moveOwnAccount(app, viewer, { acct, current, origin: { ip, sessionId: caller.sessionId } });
      return presentCredentialAccount(app, viewer.accountId);
    },
  }),

  del('/api/v1/profile/move', {
    summary: 'Remove the move target of the account of the token; followers do not return',
    access: 'user',
    scope,
    response: CredentialAccount,
    handle: async ({ app, viewer }) => {
      await undoMove(app, viewer.accountId);
      return presentCredentialAccount(app, viewer.accountId);
    },
  }),

  post('/api/v1/profile/delete', {
    summary: 'Delete the account of the token permanently',
    access: 'user',
    scope,
    rateLimit: 'password-change',
    input: Type.Object({ password }),
    response: Type.Object({}),
    handle: async ({ app, viewer, caller, input: { password: current }, request: { ip } }) => {
      await deleteOwnAccount(app, viewer, { current, origin: { ip, sessionId: caller.sessionId } });
      return {};
    },
  }),
];
