import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TObject } from 'typebox';
import { collectAnswers, type Answer } from './answers.ts';
import { iceCubes } from './ice-cubes/index.ts';
import { masto } from './masto/index.ts';
import { mastodonAndroid } from './mastodon-android/index.ts';
import { mastodonIos } from './mastodon-ios/index.ts';
import { findProblems, type Model } from './model.ts';
import { pachli } from './pachli/index.ts';
import { startScene, type Scene } from './scene.ts';
import { tootSdk } from './toot-sdk/index.ts';
import { tusky } from './tusky/index.ts';

const clients: readonly (readonly [name: string, model: Model])[] = [
  ['Ice Cubes', iceCubes],
  ['Pachli', pachli],
  ['Tusky', tusky],
  ['Mastodon for Android', mastodonAndroid],
  ['Mastodon for iOS', mastodonIos],
  ['TootSDK', tootSdk],
  ['masto.js', masto],
];

let scene: Scene;
let answers: readonly Answer[];

beforeAll(async () => {
  scene = await startScene();
  answers = await collectAnswers(scene);
});
afterAll(() => scene?.[Symbol.asyncDispose]());

test.each(clients)('%s decodes every entity', (_name, model) => {
  const problems = answers.flatMap(({ entity, source, value }) =>
    findProblems(model, entity, value).map((problem) => `${entity} of ${source}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test.each(clients)(
  'the model of %s does not accept a boost of a status whose author has no address',
  (_name, model) => {
    const found = answers.find(({ entity, value }) => entity === 'Status' && (value as StatusJson).reblog !== null);
    const boost = structuredClone(found?.value) as { reblog: { account: { acct: unknown } } };
    expect(findProblems(model, 'Status', boost)).toEqual([]);
    boost.reblog.account.acct = null;
    expect(findProblems(model, 'Status', boost)).not.toEqual([]);
  },
);

test.each(clients)('the model of %s does not accept an answer without one of its required members', (_name, model) => {
  let count = 0;
  for (const [entity, schema] of Object.entries(model)) {
    const { required = [] } = schema as Partial<TObject>;
    const value = answers.find((answer) => answer.entity === entity)?.value;
    for (const name of value === undefined ? [] : required) {
      count += 1;
      const { [name]: _removed, ...others } = value as Record<string, unknown>;
      expect(findProblems(model, entity, others), `${entity} without ${name}`).not.toEqual([]);
      expect(findProblems(model, entity, { ...others, [name]: null }), `${entity} with null ${name}`).not.toEqual([]);
    }
  }
  expect(count).toBeGreaterThan(80);
});

interface StatusJson {
  readonly reblog: unknown;
  readonly card: unknown;
  readonly poll: unknown;
  readonly filtered?: unknown[];
  readonly quote: { readonly state: string } | null;
  readonly media_attachments: readonly { readonly type: string }[];
}

test('the answers contain every entity of a model, and statuses and notifications of every kind', () => {
  const valuesOf = <Value>(name: string) =>
    answers.flatMap(({ entity, value }) => (entity === name ? [value as Value] : []));
  // Parts of other entities.
  const parts = ['MediaAttachment', 'Poll', 'Card', 'FilterOfResult', 'TimelineAccount', 'Collection', 'History'];
  const declared = new Set(clients.flatMap(([, model]) => Object.keys(model)));
  const missing = [...declared].filter((name) => !parts.includes(name) && valuesOf(name).length === 0);
  expect(missing).toEqual([]);
  const statuses = valuesOf<StatusJson>('Status');
  for (const name of ['reblog', 'card', 'poll', 'quote'] as const)
    expect(statuses.filter((status) => status[name] !== null).length, name).toBeGreaterThan(0);
  expect(statuses.some(({ filtered = [] }) => filtered.length > 0)).toBe(true);
  expect(new Set(statuses.map(({ quote }) => quote?.state))).toEqual(new Set([undefined, 'accepted', 'deleted']));
  const files = statuses.flatMap(({ media_attachments: media }) => media.map(({ type }) => type));
  expect(new Set(files)).toEqual(new Set(['image', 'video', 'audio', 'unknown']));
  const types = valuesOf<{ type: string }>('Notification').map(({ type }) => type);
  expect([...new Set(types)].toSorted()).toEqual([
    'added_to_collection',
    'admin.report',
    'admin.sign_up',
    'collection_update',
    'favourite',
    'follow',
    'follow_request',
    'mention',
    'moderation_warning',
    'poll',
    'quote',
    'quoted_update',
    'reblog',
    'severed_relationships',
    'status',
    'update',
  ]);
});
