import { expect, test } from 'vitest';
import { Load } from './load.ts';

interface Source {
  readonly load: Load<string>;
  readonly requests: { readonly signal: AbortSignal; answer: (text: string) => void; fail: (error: unknown) => void }[];
}

function create(): Source {
  const load = new Load<string>();
  const requests: Source['requests'] = [];
  load.source = (signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    requests.push({ signal, answer: resolve, fail: reject });
    return promise;
  };
  return { load, requests };
}

test('a value is shown when it is loaded, and stays while it is loaded again', async () => {
  const { load, requests } = create();
  const first = load.load();
  expect([load.value, load.error]).toEqual([undefined, undefined]);
  requests[0]?.answer('one');
  await first;
  expect(load.value).toBe('one');
  const second = load.load();
  expect(load.value).toBe('one');
  requests[1]?.answer('two');
  await second;
  expect(load.value).toBe('two');
});

test('a failure is shown, and goes when it is tried again', async () => {
  const { load, requests } = create();
  const first = load.load();
  requests[0]?.fail('offline');
  await first;
  expect([load.value, load.error]).toEqual([undefined, 'offline']);
  const second = load.load();
  expect(load.error).toBeUndefined();
  requests[1]?.answer('one');
  await second;
  expect([load.value, load.error]).toEqual(['one', undefined]);
});

test('a load that is repeated cancels the one before, whose response is left out', async () => {
  const { load, requests } = create();
  const both = [load.load(), load.load()];
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  requests[1]?.answer('new');
  requests[0]?.answer('old');
  await Promise.all(both);
  expect(load.value).toBe('new');
});

test('a change is not replaced by an older response', async () => {
  const { load, requests } = create();
  const loading = load.load();
  load.value = 'changed';
  requests[0]?.answer('old');
  await loading;
  expect(load.value).toBe('changed');
});

test('after it is closed, nothing is shown or loaded', async () => {
  const { load, requests } = create();
  const loading = load.load();
  load.close();
  expect(requests[0]?.signal.aborted).toBe(true);
  requests[0]?.fail('aborted');
  await loading;
  expect([load.value, load.error]).toEqual([undefined, undefined]);
  await load.load();
  expect(requests).toHaveLength(1);
});
