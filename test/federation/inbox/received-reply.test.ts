import { expect, test } from 'vitest';
import { recordStatements } from '../../record-statements.ts';
import { followingScene, isoTime } from '../peer-scene.ts';

test('FED-03: a reply to a stored remote post looks that post up once', async () => {
  await using s = await followingScene();
  const { a, eve } = s;
  const published = isoTime(a);
  const inReplyTo = eve.note('first')['id'];
  /** Receives a post. Returns the statements that look a post up by the URI of the first one. */
  const receive = async (name: string, members: Record<string, unknown> = {}) => {
    const activity = eve.activity('Create', eve.note(name, { published, ...members }));
    const sent = await recordStatements(async () => {
      expect(await eve.send(a, activity)).toBe(202);
      await a.drain();
    });
    return sent.filter(({ text, values }) => /\bstatuses\b/.test(text) && values.flat().includes(inReplyTo));
  };
  await receive('first');
  for (const name of ['second', 'third']) {
    const lookups = await receive(name, { inReplyTo });
    expect(lookups.map(({ text }) => text)).toEqual([
      expect.stringMatching(/from statuses where \(md5\("statuses"\."uri"\)/),
    ]);
  }
  expect(await receive('fourth')).toEqual([]);
});
