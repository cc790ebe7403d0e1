import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import {
  deleteAccountAsStaff,
  disableUser,
  enableUser,
  sensitizeAccount,
  silenceAccount,
  suspendAccount,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from '../../server/moderation/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { blockDomain, unblockDomain } from '../../server/site/domains/index.ts';
import { remoteProfile, type Scene } from './scene.ts';

/** What others see of alice. */
export type Effect = 'visible' | 'silenced' | 'hidden';

/** A moderation state of alice. */
export interface State {
  readonly effect: Effect;
  readonly enter: (scene: Scene) => Promise<unknown>;
  /** Undefined: permanent. */
  readonly leave?: (scene: Scene) => Promise<unknown>;
  /** Lists that SQL alone makes follow by jobs. */
  readonly byJobs?: boolean;
}

type Decide = typeof suspendAccount;
const by =
  (decide: Decide) =>
  ({ server, alice }: Scene): Promise<unknown> =>
    decide(server.app, 'system', { accountId: alice.id });
const byDomain = (severity: 'silence' | 'suspend', effect: Effect): State => ({
  effect,
  byJobs: true,
  enter: ({ server }) => blockDomain(server.app, 'system', { domain: remoteProfile.domain, severity }),
  leave: ({ server }) => unblockDomain(server.app, 'system', remoteProfile.domain),
});
const byOwnServer =
  (suspended: boolean) =>
  ({ server: { app } }: Scene): Promise<unknown> =>
    transaction(app, (tx) => storeRemoteAccount(tx, app, { ...remoteProfile, suspended }));

const sharedStates: Readonly<Record<string, State>> = {
  sensitive: { effect: 'visible', enter: by(sensitizeAccount), leave: by(unsensitizeAccount) },
  silenced: { effect: 'silenced', enter: by(silenceAccount), leave: by(unsilenceAccount) },
  suspended: { effect: 'hidden', enter: by(suspendAccount), leave: by(unsuspendAccount) },
};
const deleted: State = { effect: 'hidden', enter: by(deleteAccountAsStaff), byJobs: true };

export const localStates: Readonly<Record<string, State>> = {
  disabled: { effect: 'visible', enter: by(disableUser), leave: by(enableUser) },
  ...sharedStates,
  deleted,
};
export const remoteStates: Readonly<Record<string, State>> = {
  ...sharedStates,
  'suspended by its own server': { effect: 'hidden', enter: byOwnServer(true), leave: byOwnServer(false) },
  'silenced by its domain': byDomain('silence', 'silenced'),
  'suspended by its domain': byDomain('suspend', 'hidden'),
  deleted,
};
