import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotItemsError, splitJsonItems } from './split-json-items.ts';

/** Yields a text in chunks of `size` bytes. */
async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const split = (text: string, size = 7, maxItemBytes = 10_000) =>
  Array.fromAsync(splitJsonItems(inChunks(text, size), maxItemBytes));

test('the items of any array of JSON are those that JSON.parse finds, wherever chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(undefined, 2),
      async (items, others, size, indent) => {
        const { orderedItems: _, ...before } = others;
        const collection = { ...before, orderedItems: items, totalItems: items.length };
        for (const value of [items, collection]) {
          const found = await split(JSON.stringify(value, undefined, indent), size, 1_000_000);
          expect(found.map((item) => JSON.parse(item ?? ''))).toEqual(JSON.parse(JSON.stringify(items)));
        }
      },
    ),
  );
});

test('an item that is too large is null, and those after it are found', async () => {
  const items = [1, 'x'.repeat(100), { a: ['y'.repeat(100)] }, [2]];
  expect(await split(JSON.stringify(items), 9, 50)).toEqual(['1', null, null, '[2]']);
});

test('an array of this name elsewhere is not that of the collection', async () => {
  const text = JSON.stringify({ first: { orderedItems: [1] }, name: 'orderedItems', orderedItems: [2] });
  expect(await split(text)).toEqual(['2']);
  expect(await split(`\uFEFF ${text}`)).toEqual(['2']);
});

test('other texts, and any that end before the array does, are refused', async () => {
  const whole = JSON.stringify({ id: 'a', orderedItems: [{ b: '"]}' }, 2] });
  for (const text of ['', ' ', '{}', '{"a":[1]}', '"orderedItems"', 'null', ']', whole.slice(0, -3)])
    await expect(split(text), text).rejects.toThrow(NotItemsError);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
      async function* once() {
        yield bytes;
      }
      await Array.fromAsync(splitJsonItems(once(), 100)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(NotItemsError);
      });
    }),
  );
});
