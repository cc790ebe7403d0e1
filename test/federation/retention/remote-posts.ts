import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../../server/platform/ids.ts';
import { storeRemoteReblog, storeRemoteStatus, type RemoteStatus } from '../../../server/statuses/remote/index.ts';
import type { TestServer } from '../../server.ts';

const dayMs = 86_400_000;

/** Stores posts of remote accounts that are `days` old; 100 by default. */
export class RemotePosts {
  readonly #server: TestServer;
  readonly #domain: string;
  #count = 0;

  constructor(server: TestServer, domain = 'far.test') {
    this.#server = server;
    this.#domain = domain;
  }

  account(username: string): Promise<AccountId> {
    const uri = `https://${this.#domain}/users/${username}`;
    return transaction(this.#server.app, (tx) =>
      storeRemoteAccount(tx, this.#server.app, { uri, username, domain: this.#domain, inboxUrl: `${uri}/inbox` }),
    );
  }

  async post(accountId: AccountId, fields: Partial<RemoteStatus> = {}, days = 100): Promise<StatusId> {
    this.#count += 1;
    const id = await storeRemoteStatus(this.#server.app, {
      uri: `https://${this.#domain}/notes/${this.#count}`,
      accountId,
      content: `<p>Note ${this.#count}</p>`,
      visibility: 'public',
      publishedAt: this.#daysAgo(days),
      ...fields,
    });
    return required(id);
  }

  async reblog(accountId: AccountId, reblogOfId: StatusId, days = 100): Promise<StatusId> {
    this.#count += 1;
    const uri = `https://${this.#domain}/announces/${this.#count}`;
    const publishedAt = this.#daysAgo(days);
    return required(
      await storeRemoteReblog(this.#server.app, { uri, accountId, reblogOfId, visibility: 'public', publishedAt }),
    );
  }

  #daysAgo(days: number): Date {
    return new Date(this.#server.clock.now().getTime() - days * dayMs);
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('it was not stored');
  return value;
}
