import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeProof, solveSignUpChallenge } from '../../../test/solve-challenge.ts';
import { checkSolution, createChallenge, type ChallengeContext, type Difficulty } from './challenge.ts';

const key = randomBytes(32);
const now = new Date('2026-06-01T12:00:00.750Z');
const context: ChallengeContext = {
  sign: (text) => createHmac('sha256', key).update(text).digest('base64url'),
  now,
  difficulty: 'easy',
};
const seconds = (count: number): Date => new Date(now.getTime() + count * 1_000);

const challenge = await createChallenge(context);
const proof = await solveSignUpChallenge(challenge);
const { solution } = JSON.parse(Buffer.from(proof, 'base64').toString()) as {
  solution: { counter: number; derivedKey: string };
};

test('a challenge has a solution within its bound, which is accepted until two hours later', () => {
  expect(challenge.parameters).toMatchObject({
    algorithm: 'PBKDF2/SHA-256',
    keyLength: 32,
    expiresAt: Math.floor(now.getTime() / 1_000) + 7_200,
  });
  const { maxCounter } = challenge.parameters.data;
  expect(solution.counter).toBeGreaterThanOrEqual(maxCounter / 2);
  expect(solution.counter).toBeLessThanOrEqual(maxCounter);
  const solved = { nonce: challenge.parameters.nonce, expiresAt: new Date('2026-06-01T14:00:00Z') };
  expect(checkSolution(proof, context)).toEqual(solved);
  expect(checkSolution(proof, { ...context, now: seconds(7_199) })).toEqual(solved);
  expect(checkSolution(proof, { ...context, now: seconds(7_200) })).toBe('expired');
  // The clock of this process is behind that of the one that made the challenge.
  expect(checkSolution(proof, { ...context, now: seconds(-60) })).toEqual(solved);
});

test('a solution counts only while no more work is asked for', async () => {
  expect(checkSolution(proof, { ...context, difficulty: 'medium' })).toBe('expired');
  const bounds: Difficulty[] = ['easy', 'medium', 'hard'];
  const challenges = await Promise.all(bounds.map((difficulty) => createChallenge({ ...context, difficulty })));
  const works = challenges.map(({ parameters }) => parameters.data.maxCounter * parameters.cost);
  expect(works.toSorted((one, other) => one - other)).toEqual(works);
  expect(new Set(works).size).toBe(3);
});

test('a solution for another instance is invalid', () => {
  const sign: ChallengeContext['sign'] = (text) => createHmac('sha256', 'other').update(text).digest('base64url');
  expect(checkSolution(proof, { ...context, sign })).toBe('invalid');
});

test('a solution is accepted with the members of its challenge in any order, and with further ones', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(Object.entries(challenge.parameters), { minLength: 9 }),
      fc.dictionary(
        fc.string().filter((name) => !['maxCounter', ...Object.keys(challenge.parameters)].includes(name)),
        fc.jsonValue(),
      ),
      (entries, more) => {
        const parameters = { ...more, ...Object.fromEntries(entries) };
        const given = encodeProof({ ...challenge, parameters }, { ...solution, time: 1 });
        expect(checkSolution(given, context)).toMatchObject({ nonce: challenge.parameters.nonce });
      },
    ),
  );
});

test('a challenge or a solution that was changed is invalid', () => {
  const names = Object.keys(challenge.parameters);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
      const parameters: Record<string, unknown> = { ...challenge.parameters };
      fc.pre(JSON.stringify(parameters[name]) !== JSON.stringify(value));
      parameters[name] = value;
      expect(checkSolution(encodeProof({ ...challenge, parameters }, solution), context)).toBe('invalid');
      delete parameters[name];
      expect(checkSolution(encodeProof({ ...challenge, parameters }, solution), context)).toBe('invalid');
    }),
  );
  const { keyPrefix } = challenge.parameters;
  for (const derivedKey of ['', keyPrefix, keyPrefix.padEnd(64, '0'), solution.derivedKey.toUpperCase(), 1, null])
    expect(checkSolution(encodeProof(challenge, { ...solution, derivedKey }), context)).toBe('invalid');
});

test('whatever is sent as a proof is invalid, and never an error', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const json = fc.anything().map((value) => base64(JSON.stringify(value) ?? ''));
  const shaped = fc
    .record({
      challenge: fc.record({ parameters: fc.jsonValue(), signature: fc.oneof(fc.string(), fc.jsonValue()) }),
      solution: fc.record({ derivedKey: fc.oneof(fc.string(), fc.jsonValue()) }),
    })
    .map((value) => base64(JSON.stringify(value)));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string().map(base64), json, shaped), (text) => {
      expect(checkSolution(text, context)).toBe('invalid');
    }),
  );
  expect(checkSolution(' '.repeat(5_000) + proof, context)).toBe('invalid');
});
