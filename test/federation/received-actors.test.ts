import { expect, test } from 'vitest';
import { peerScene } from './peer-scene.ts';
import { resolveAccountOn } from './two-servers.ts';

test('FED-03: the type and the age of a remote actor are shown, whatever its document says', async () => {
  await using scene = await peerScene();
  const { a, alice, peer } = scene;
  const today = new Date(a.clock.now()).toISOString().slice(0, 10);
  const cases: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
    [{ type: 'Person' }, { bot: false, group: false }],
    [{ type: 'Service' }, { bot: true, group: false }],
    [{ type: 'Application' }, { bot: true, group: false }],
    [{ type: 'Group' }, { bot: false, group: true }],
    [{ type: 'Organization' }, { bot: false, group: false }],
    [{ type: ['https://example.test#Robot', 'Service'] }, { bot: true, group: false }],
    [{ published: '2021-03-04T05:06:07Z' }, { created_at: '2021-03-04T00:00:00.000Z' }],
    [{ published: '2021-03-04' }, { created_at: '2021-03-04T00:00:00.000Z' }],
    [{ published: '9999-01-01T00:00:00Z' }, { created_at: `${today}T00:00:00.000Z` }],
    [{ published: 'long ago' }, { created_at: `${today}T00:00:00.000Z` }],
    [{ published: 1_600_000_000 }, { created_at: `${today}T00:00:00.000Z` }],
  ];
  for (const [index, [members, shown]] of cases.entries()) {
    peer.actor(`actor${index}`).documentOverrides = members;
    const id = await resolveAccountOn(a, `actor${index}@peer.test`);
    const { json } = await alice.get(`/api/v1/accounts/${id}`);
    expect(json, JSON.stringify(members)).toMatchObject(shown);
  }
});
