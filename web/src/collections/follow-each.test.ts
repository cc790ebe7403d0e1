import { expect, test } from 'vitest';
import { ApiError } from '../api/client.ts';
import { followEach, isFollowable } from './follow-each.ts';

const run = (send: (id: string) => Promise<{ following: boolean; requested: boolean }>, stopAfter = Infinity) => {
  const progress: number[] = [];
  return {
    progress,
    options: {
      send,
      onProgress: (done: number) => void progress.push(done),
      isStopped: () => progress.length >= stopAfter,
    },
  };
};
const following = { following: true, requested: false };

test('accounts are followed one after the other, and each refusal is kept', async () => {
  let open = 0;
  const { progress, options } = run(async (id) => {
    open += 1;
    expect(open).toBe(1);
    await Promise.resolve();
    open -= 1;
    if (id === 'blocked') throw new ApiError(403, undefined);
    return id === 'locked' ? { following: false, requested: true } : following;
  });
  const outcome = await followEach(['a', 'locked', 'blocked', 'b'], options);
  expect(outcome).toMatchObject({ followed: ['a', 'b'], requested: ['locked'] });
  expect([...outcome.problems.keys()]).toEqual(['blocked']);
  expect(progress).toEqual([1, 2, 3, 4]);
});

test.for([429, 422, 503])('the others are left after status %i', async (status) => {
  const asked: string[] = [];
  const { options } = run(async (id) => {
    asked.push(id);
    if (id === 'b') throw new ApiError(status, undefined);
    return following;
  });
  const outcome = await followEach(['a', 'b', 'c'], options);
  expect(asked).toEqual(['a', 'b']);
  expect(outcome.followed).toEqual(['a']);
  expect([...outcome.problems.keys()]).toEqual(['b']);
});

test('the reader stops it', async () => {
  const { options } = run(async () => following, 2);
  expect((await followEach(['a', 'b', 'c'], options)).followed).toEqual(['a', 'b']);
});

test('only those who are not followed, requested, blocked or gone can be followed', () => {
  const relationship = {
    following: false,
    requested: false,
    blocking: false,
    domain_blocking: false,
  };
  const account = { id: '1' };
  expect(isFollowable(account, relationship, '2')).toBe(true);
  expect(isFollowable(account, relationship, '1')).toBe(false);
  expect(isFollowable(account, undefined, '2')).toBe(false);
  expect(isFollowable({ ...account, suspended: true }, relationship, '2')).toBe(false);
  for (const name of ['following', 'requested', 'blocking', 'domain_blocking'] as const)
    expect(isFollowable(account, { ...relationship, [name]: true }, '2'), name).toBe(false);
});
