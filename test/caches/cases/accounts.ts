import { accountChanged, accountCountersChanged, accountUpdated } from '../../../server/accounts/index.ts';
import { badgesChanged } from '../../../server/accounts/badges/index.ts';
import { loadSigningKeys } from '../../../server/accounts/keys/index.ts';
import { accountSensitivityChanged } from '../../../server/accounts/lifecycle/index.ts';
import { presentAccounts } from '../../../server/accounts/present/index.ts';
import { emojisChanged } from '../../../server/emojis/index.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import {
  domainAllowed,
  domainBlocked,
  domainDisallowed,
  domainUnblocked,
  siteSettingsChanged,
} from '../../../server/site/index.ts';
import type { EvictionCase } from '../eviction-case.ts';

const policyEvents = [domainBlocked, domainUnblocked, domainAllowed, domainDisallowed];

/** A case that changes the display name, with any event. */
function renameCase(event: string, emittedFor: (accountId: AccountId) => DomainEvent): EvictionCase {
  return {
    cache: 'accounts.accounts',
    event,
    prepare: async (server) => {
      const { id } = await server.user('alice');
      return {
        read: async () => (await presentAccounts(server.app, undefined, [id])).map(({ text }) => text),
        change: () => server.db.updateTable('accounts').set({ display_name: 'New' }).where('id', '=', id).execute(),
        emitted: emittedFor(id),
      };
    },
  };
}

export const cases: readonly EvictionCase[] = [
  {
    cache: 'accounts.signing_keys',
    event: accountUpdated.event,
    prepare: async (server) => {
      const { app, db } = server;
      const { id } = await server.user('alice');
      await loadSigningKeys(app, id);
      return {
        read: async () => (await loadSigningKeys(app, id)).rsa.publicKeyPem,
        change: () =>
          db
            .updateTable('account_keys')
            .set({ public_key_pem: 'new' })
            .where('account_id', '=', id)
            .where('key_id', 'like', '%#main-key')
            .execute(),
        emitted: accountUpdated({ accountId: id }),
      };
    },
  },
  renameCase('account.changed', (accountId) => accountChanged({ accountId })),
  renameCase('account.sensitivity_changed', (accountId) => accountSensitivityChanged({ accountId })),
  renameCase('account.badges_changed', () => badgesChanged({})),
  renameCase('emoji.changed', () => emojisChanged({})),
  renameCase('site.settings_changed', () => siteSettingsChanged({ names: [], staffId: null })),
  ...policyEvents.map((type) => renameCase(type.event, () => type({ domain: 'b.test', staffId: null }))),
  {
    cache: 'accounts.accounts',
    event: 'account.counters_changed',
    prepare: async (server) => {
      const { id } = await server.user('alice');
      return {
        read: async () => (await presentAccounts(server.app, undefined, [id])).map(({ text }) => text),
        change: () =>
          server.db
            .updateTable('account_stats')
            .set({ statuses_count: 7, version: 100 })
            .where('account_id', '=', id)
            .execute(),
        emitted: accountCountersChanged({ id, version: 100, jsonEnd: ',"statuses_count":7}' }),
      };
    },
  },
];
