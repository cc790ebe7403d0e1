import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCpuTime } from '../../cpu-time.ts';
import { followingScene } from '../peer-scene.ts';
import { corpus, mutatedDocument, textOfDocument } from './mutate.ts';
import { readInput, runFuzz, storedCrashes } from './run-fuzz.ts';
import { targets } from './targets.ts';

const inputs = 20_000;
const maxCpuMs = 8_000;

test(
  'FED-03: mutated documents of other software are read or refused, in bounded time',
  { timeout: 120_000 },
  async () => {
    const cpuMs = countCpuTime();
    const seed = Math.floor(Math.random() * 2 ** 31);
    expect(await runFuzz(inputs, seed), `npm run fuzz -- --inputs ${inputs} --seed ${seed}`).toEqual([]);
    expect(cpuMs()).toBeLessThan(maxCpuMs);
  },
);

test('FED-03: documents of other software are read as they are', async () => {
  expect(corpus.length).toBeGreaterThan(24);
  const inbox = targets.find(({ name }) => name === 'inbox');
  for (const document of corpus.keys()) {
    expect(textOfDocument({ document, mutations: [] })).toBe(JSON.stringify(corpus[document]));
    if (inbox !== undefined) await inbox.read({ document, mutations: [] });
  }
});

test('FED-03: inputs that crashed a reader once are read or refused', async () => {
  for (const [name, { target, input }] of storedCrashes()) {
    const found = targets.find((one) => one.name === target);
    expect(found, name).toBeDefined();
    if (found !== undefined) await expect(readInput(found, input), name).resolves.toBeUndefined();
  }
});

test('FED-03: an error that is no refusal counts as a crash', async () => {
  const [target] = targets;
  if (target === undefined) throw new Error('no target');
  const broken = { ...target, read: () => (undefined as unknown as { x: number }).x };
  await expect(readInput(broken, undefined)).rejects.toThrow(TypeError);
});

test(
  'FED-03: the inbox and its worker survive mutated documents, of each kind at least one',
  { timeout: 120_000 },
  async () => {
    await using scene = await followingScene();
    const { a, eve } = scene;
    const samples = [
      ...corpus.map((_, document) => ({ document, mutations: [] })),
      ...fc.sample(mutatedDocument, { numRuns: 40, seed: 1 }),
    ];
    for (const sample of samples) {
      const original = corpus[sample.document] as { actor?: string; id: string };
      // The author is the one who signs.
      const text = textOfDocument(sample)
        .replaceAll(JSON.stringify(original.actor ?? original.id), JSON.stringify(eve.uri))
        .replaceAll(/https:\/\/(?!a\.test)[a-z]+\.test\//g, 'https://peer.test/');
      expect([202, 400, 401, 403], text).toContain(await eve.send(a, JSON.parse(text)));
    }
    // Disposing the scene fails if a job failed.
    await a.drain();
    const stored = await a.app.db.selectFrom('statuses').select('uri').where('local', '=', false).execute();
    expect(stored.length).toBeGreaterThan(4);
  },
);
