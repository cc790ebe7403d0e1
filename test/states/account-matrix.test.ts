import { expect, test } from 'vitest';
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
import { transaction } from '../../server/platform/database/transaction.ts';
import { blockDomain, unblockDomain } from '../../server/site/domains/index.ts';
import { startServer } from '../server.ts';
import { createScene, remoteProfile, type Scene, type Viewers } from './scene.ts';
import { surfaces, type Surface } from './surfaces.ts';

type Effect = 'visible' | 'silenced' | 'hidden';

interface State {
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

const localStates: Readonly<Record<string, State>> = {
  disabled: { effect: 'visible', enter: by(disableUser), leave: by(enableUser) },
  ...sharedStates,
  deleted,
};
const remoteStates: Readonly<Record<string, State>> = {
  ...sharedStates,
  'suspended by its own server': { effect: 'hidden', enter: byOwnServer(true), leave: byOwnServer(false) },
  'silenced by its domain': byDomain('silence', 'silenced'),
  'suspended by its domain': byDomain('suspend', 'hidden'),
  deleted,
};

interface Cell {
  readonly name: string;
  readonly surface: Surface;
  readonly viewer: keyof Viewers;
}

const cellsOf = (local: boolean, scene: Scene): Cell[] =>
  surfaces
    .filter((surface) => local || surface.local !== true)
    .flatMap((surface) =>
      surface.viewers.map((viewer) => ({ name: `${surface.path(scene)} (${viewer})`, surface, viewer })),
    );

async function isShown(scene: Scene, { surface, viewer }: Cell): Promise<boolean> {
  const { path, needle, accept = 'application/json' } = surface;
  const { status, text } = await scene.viewers[viewer].get(path(scene), { headers: { accept } });
  return status === 200 && (needle === undefined || needle(scene).test(text));
}

async function listShown(scene: Scene, cells: readonly Cell[]): Promise<string[]> {
  const names: string[] = [];
  for (const cell of cells) if (await isShown(scene, cell)) names.push(cell.name);
  return names;
}

const followers: ReadonlySet<keyof Viewers> = new Set(['bob', 'carol']);

function isExpected(state: string, effect: Effect, { surface: { reach }, viewer }: Cell): boolean {
  if (reach === 'staff') return state !== 'deleted';
  if (viewer === 'self') return effect !== 'hidden' && state !== 'disabled';
  if (effect === 'visible') return true;
  return effect === 'silenced' && (reach === 'all' || (reach === 'followers' && followers.has(viewer)));
}

test.for([
  ['local', true, localStates],
  ['remote', false, remoteStates],
] as const)(
  'ACC-14: each surface shows or hides a %s account in every state, and shows it again afterwards',
  async ([, local, states]) => {
    await using server = await startServer();
    const scene = await createScene(server, { local });
    const cells = cellsOf(local, scene);
    const all = cells.map(({ name }) => name);
    expect(await listShown(scene, cells)).toEqual(all);
    for (const [state, { effect, enter, leave, byJobs }] of Object.entries(states)) {
      await enter(scene);
      if (byJobs === true) await server.drain();
      const expected = cells.filter((cell) => isExpected(state, effect, cell)).map(({ name }) => name);
      expect(await listShown(scene, cells), state).toEqual(expected);
      await server.drain();
      if (leave === undefined) continue;
      await leave(scene);
      await server.drain();
      expect(await listShown(scene, cells), `after ${state}`).toEqual(all);
    }
  },
);
