import { expect, test } from 'vitest';
import { Network } from '../network.ts';
import { serveRemotePhoto } from './photos.ts';
import { createScene, type Scene, type Viewers } from './scene.ts';
import { localStates, remoteStates, type Effect } from './states.ts';
import { surfaces, type Surface } from './surfaces.ts';

interface Cell {
  readonly name: string;
  readonly surface: Surface;
  readonly viewer: keyof Viewers;
}

const cellsOf = (local: boolean, scene: Scene): Cell[] =>
  surfaces
    .filter((surface) => surface.local === undefined || surface.local === local)
    .flatMap((surface) =>
      surface.viewers.map((viewer) => ({ name: `${surface.path(scene)} (${viewer})`, surface, viewer })),
    );

async function isShown(scene: Scene, { surface, viewer }: Cell): Promise<boolean> {
  const { path, needle, accept = 'application/json', redirects = false } = surface;
  const { status, text } = await scene.viewers[viewer].get(path(scene), { headers: { accept } });
  return status === (redirects ? 302 : 200) && (needle === undefined || needle(scene).test(text));
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
    await using network = new Network();
    network.addHost('files.test', serveRemotePhoto);
    const server = await network.start('fieldfare.test');
    if (!local) server.expectUndelivered(/\.test$/u);
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
