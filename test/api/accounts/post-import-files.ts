import { gzipSync } from 'node:zlib';
import { tarOf, zipOf } from '../../archive-files.ts';

// Archives as other servers make them, written by hand.

export const oldActor = 'https://old.example/users/alice';
const followers = `${oldActor}/followers`;
const everyone = 'https://www.w3.org/ns/activitystreams#Public';

const audiences = {
  public: { to: [everyone], cc: [followers] },
  unlisted: { to: [followers], cc: [everyone] },
  private: { to: [followers], cc: [] },
  direct: { to: ['https://b.example/users/bob'], cc: [] },
} as const;

/** Returns the Create of a post. `number`: its place, by which its date is later than that of others. */
export function createOf(
  number: number,
  content: string,
  { visibility = 'public', ...more }: { visibility?: keyof typeof audiences; [name: string]: unknown } = {},
): Record<string, unknown> {
  const id = `${oldActor}/statuses/${number}`;
  const published = new Date(Date.UTC(2019, 4, 6) + number * 1_000).toISOString();
  const audience = audiences[visibility];
  const object = {
    id,
    type: 'Note',
    attributedTo: oldActor,
    url: `https://old.example/@alice/${number}`,
    published,
    ...audience,
    content: `<p>${content}</p>`,
    ...more,
  };
  return { id: `${id}/activity`, type: 'Create', actor: oldActor, published, ...audience, object };
}

export const boost = {
  id: `${oldActor}/statuses/99/activity`,
  type: 'Announce',
  actor: oldActor,
  object: 'https://b.example/1',
};

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

export const collectionOf = (items: readonly unknown[]): Buffer =>
  json({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: 'outbox.json',
    type: 'OrderedCollection',
    totalItems: items.length,
    orderedItems: items,
  });

/** Returns the files of an archive. */
export const filesOf = (
  items: readonly unknown[],
  more: Readonly<Record<string, Buffer>> = {},
): Record<string, Buffer> => ({
  ...more,
  'outbox.json': collectionOf(items),
  'actor.json': json({ id: oldActor, type: 'Person', preferredUsername: 'alice', followers }),
});

export const tarGzOf = (files: Readonly<Record<string, Buffer>>): Buffer => gzipSync(tarOf(files));
export { zipOf };
