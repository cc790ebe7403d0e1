import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Supervisor, type PostgresProcess } from './supervisor.ts';

/** Runs of a program that exit when told; those whose number is in `broken` exit before they are ready. */
function fakeProgram(broken: readonly number[] = []) {
  const runs: { end: (code: number) => void }[] = [];
  let ended = 0;
  const launch = (): PostgresProcess => {
    const gone = Promise.withResolvers<number>();
    const at = runs.push({ end: gone.resolve });
    if (broken.includes(at)) gone.resolve(1);
    return {
      exited: gone.promise,
      recentOutput: () => `run ${at}`,
      ready: broken.includes(at) ? Promise.reject(new Error('it did not start')) : Promise.resolve(),
      stop: async () => {
        gone.resolve(0);
        await gone.promise;
      },
    };
  };
  const parts = {
    launch,
    cleanUp: async () => {},
    restart: true,
    log: pino({ level: 'silent' }),
    onExit: () => void (ended += 1),
    restartDelaysMs: [0, 0, 0],
  };
  return { runs, parts, ends: () => ended };
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test('a program that exits is restarted, unless that happens too often', async () => {
  const { runs, parts, ends } = fakeProgram([3]);
  const supervisor = new Supervisor(parts);
  await supervisor.start();
  runs[0]?.end(1);
  await waitUntil(() => runs.length === 2);
  // The next start fails and is retried.
  runs[1]?.end(2);
  await waitUntil(() => runs.length === 4);
  expect(ends()).toBe(0);
  runs[3]?.end(3);
  expect(await supervisor.crashed).toBe('PostgreSQL ended unexpectedly (3): run 4');
  expect([runs.length, ends()]).toEqual([4, 1]);
  await supervisor.stop();
});

test('a stop cancels a pending restart, and is not reported as a crash', async () => {
  const { runs, parts, ends } = fakeProgram();
  const supervisor = new Supervisor({ ...parts, restartDelaysMs: [600_000] });
  await supervisor.start();
  runs[0]?.end(1);
  await supervisor.stop();
  expect([runs.length, ends()]).toEqual([1, 1]);
  expect(await Promise.race([supervisor.crashed, Promise.resolve('alive')])).toBe('alive');
});

test('a failed first start rejects, and leaves nothing running', async () => {
  const { parts, ends } = fakeProgram([1]);
  await expect(new Supervisor(parts).start()).rejects.toThrow('it did not start');
  expect(ends()).toBe(1);
});
