import { beforeEach, expect, test } from 'vitest';
import { Changes, setFields, type Change } from './changes.ts';

interface Post {
  readonly favourited: boolean;
  readonly bookmarked: boolean;
  readonly count: number;
}

/** A request that the test answers. */
interface Sent {
  readonly isSet: boolean;
  readonly answer: (post: Post | undefined) => Promise<void>;
  readonly fail: () => Promise<void>;
}

const stored: Post = { favourited: false, bookmarked: false, count: 5 };
let shown: Post | undefined;
let sent: Sent[];
let errors: unknown[];
let shared: Partial<Post>[];
let changes: Changes<Post>;

beforeEach(() => {
  shown = stored;
  [sent, errors, shared] = [[], [], []];
  changes = new Changes<Post>({
    peek: () => shown,
    show: (_id, post) => (shown = post),
    share: (_id, change) => shared.push(change),
  });
});

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const favourite = (isSet: boolean): Change<Post> => ({
  name: 'favourited',
  apply: (post) => ({
    favourited: isSet,
    count: post.count + (post.favourited === isSet ? 0 : isSet ? 1 : -1),
  }),
  isIn: (post) => post.favourited === isSet,
  send() {
    const { promise, resolve, reject } = Promise.withResolvers<Post | undefined>();
    sent.push({
      isSet,
      answer: (post) => (resolve(post), settle()),
      fail: () => (reject(new Error('refused')), settle()),
    });
    return promise;
  },
  onError: (error) => errors.push(error),
  fromOtherWindow: ({ favourited }) =>
    favourited === undefined || favourited === isSet ? undefined : favourite(favourited),
});
const bookmark: Change<Post> = {
  ...favourite(true),
  name: 'bookmarked',
  apply: () => ({ bookmarked: true }),
  isIn: ({ bookmarked }) => bookmarked,
};

const press = (isSet = !shown?.favourited): Promise<boolean> => changes.make('1', favourite(isSet));
const favourited: Post = { ...stored, favourited: true, count: 6 };

test('one press shows at once, is shared, sent once, and shows what the server answers', async () => {
  const done = press();
  expect(shown).toEqual(favourited);
  expect(shared).toEqual([{ favourited: true, count: 6 }]);
  await sent[0]?.answer({ ...favourited, count: 9 });
  expect(await done).toBe(true);
  expect(shown).toEqual({ ...favourited, count: 9 });
  expect(sent).toHaveLength(1);
  expect(changes.isChanging('1')).toBe(false);
});

test('two presses end unset: the second is sent after the first, and nothing flickers meanwhile', async () => {
  const [first, second] = [press(), press()];
  expect(shown).toEqual(stored);
  expect(sent.map(({ isSet }) => isSet)).toEqual([true]);
  await sent[0]?.answer(favourited);
  expect(shown).toEqual(stored);
  expect(sent.map(({ isSet }) => isSet)).toEqual([true, false]);
  await sent[1]?.answer(stored);
  expect([await first, await second]).toEqual([false, true]);
  expect(shown).toEqual(stored);
  expect(errors).toEqual([]);
});

test('three presses end set with one request, because the server has it then', async () => {
  const presses = [press(), press(), press()];
  expect(shown).toEqual(favourited);
  await sent[0]?.answer(favourited);
  expect(await Promise.all(presses)).toEqual([false, false, true]);
  expect(sent).toHaveLength(1);
  expect(shown).toEqual(favourited);
});

test('a third press during the second request is sent after it', async () => {
  void press();
  void press();
  await sent[0]?.answer(favourited);
  void press();
  expect(shown).toEqual(favourited);
  await sent[1]?.answer(stored);
  expect(sent.map(({ isSet }) => isSet)).toEqual([true, false, true]);
  expect(shown).toEqual(favourited);
  await sent[2]?.answer(favourited);
  expect(shown).toEqual(favourited);
  expect(changes.isChanging('1')).toBe(false);
});

test('a failure shows what the server has, here and in other windows, and says so', async () => {
  const done = press();
  await sent[0]?.fail();
  expect(await done).toBe(false);
  expect(shown).toEqual(stored);
  expect(shared.at(-1)).toEqual({ favourited: false, count: 5 });
  expect(errors).toHaveLength(1);
});

test('a failure of the first of two presses is not an error, because the server has what the second wants', async () => {
  void press();
  const second = press();
  await sent[0]?.fail();
  expect(await second).toBe(true);
  expect(shown).toEqual(stored);
  expect(sent).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('a failure of the first of three presses shows what the server has', async () => {
  void press();
  void press();
  const third = press();
  await sent[0]?.fail();
  expect(await third).toBe(false);
  expect(shown).toEqual(stored);
  expect(errors).toHaveLength(1);
});

test('a failure of the second of two presses shows what the first one set', async () => {
  void press();
  void press();
  await sent[0]?.answer(favourited);
  await sent[1]?.fail();
  expect(shown).toEqual(favourited);
  expect(errors).toHaveLength(1);
});

test('a press after a failure is sent again', async () => {
  void press();
  await sent[0]?.fail();
  void press();
  await sent[1]?.answer(favourited);
  expect(shown).toEqual(favourited);
});

test('what the server sends during a request shows with the change', async () => {
  void press();
  shown = changes.receive('1', { ...stored, count: 20 });
  expect(shown).toEqual({ ...stored, favourited: true, count: 21 });
  await sent[0]?.fail();
  expect(shown).toEqual({ ...stored, count: 20 });
});

test('a press in another window during a request is the last one, and is sent after it', async () => {
  void press();
  changes.follow('1', { favourited: false });
  shown = changes.merge('1', stored, { favourited: false, count: 5 });
  expect(shown).toEqual(stored);
  await sent[0]?.answer(favourited);
  expect(sent.map(({ isSet }) => isSet)).toEqual([true, false]);
  await sent[1]?.answer(stored);
  expect(shown).toEqual(stored);
});

test('a press in another window that wants the same changes nothing', async () => {
  void press();
  changes.follow('1', { favourited: true, count: 6 });
  shown = changes.merge('1', stored, { favourited: true, count: 6 });
  expect(shown).toEqual(favourited);
  await sent[0]?.answer(favourited);
  expect(sent).toHaveLength(1);
});

test('without a request, changes of other windows only show', () => {
  changes.follow('1', { favourited: true });
  expect(changes.merge('1', stored, { favourited: true })).toEqual({ ...stored, favourited: true });
  expect(sent).toEqual([]);
});

test('changes of different names are sent at the same time, and keep each other', async () => {
  void press();
  void changes.make('1', bookmark);
  expect(sent).toHaveLength(2);
  await sent[0]?.answer(favourited);
  expect(shown).toEqual({ ...favourited, bookmarked: true });
  await sent[1]?.fail();
  expect(shown).toEqual(favourited);
});

test('a change that is sent later stays as it shows', async () => {
  void press();
  await sent[0]?.answer(undefined);
  expect(shown).toEqual(favourited);
  expect(changes.isChanging('1')).toBe(false);
});

test('a change of an object that is not loaded is sent, and a failure is reported', async () => {
  shown = undefined;
  const done = changes.make('1', favourite(true));
  expect(shown).toBeUndefined();
  await sent[0]?.fail();
  expect(await done).toBe(false);
  expect(errors).toHaveLength(1);
});

test('setFields is in an object that has all of its fields', () => {
  const change = setFields<Post>({ favourited: true, count: 6 }, { send: async () => undefined, onError: () => {} });
  expect(change.name).toBe('favourited count');
  expect(change.apply(stored)).toEqual({ favourited: true, count: 6 });
  expect([change.isIn(stored), change.isIn({ ...stored, favourited: true }), change.isIn(favourited)]).toEqual([
    false,
    false,
    true,
  ]);
});

const held = (): { readonly change: Change<Post>; readonly decide: (mayBeSent: boolean) => Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { change: { ...favourite(true), mayBeSent: promise }, decide: (mayBeSent) => (resolve(mayBeSent), settle()) };
};

test('a change that waits shows at once, and is sent when it may be', async () => {
  const { change, decide } = held();
  const done = changes.make('1', change);
  await settle();
  expect([shown, sent]).toEqual([favourited, []]);
  await decide(true);
  await sent[0]?.answer(favourited);
  expect([await done, sent.length, shown]).toEqual([true, 1, favourited]);
});

test('a change that is withdrawn while it waits is never sent, here and in other windows', async () => {
  const { change, decide } = held();
  const done = changes.make('1', change);
  await decide(false);
  expect([await done, sent, shown]).toEqual([false, [], stored]);
  expect(shared.at(-1)).toEqual({ favourited: false, count: 5 });
  expect(errors).toEqual([]);
});

test('the opposite of a change that waits ends both without a request', async () => {
  const { change } = held();
  const first = changes.make('1', change);
  const second = press(false);
  expect([await first, await second]).toEqual([false, true]);
  expect([sent, shown, changes.isChanging('1')]).toEqual([[], stored, false]);
});

test('a refusal is said when what made it welcome is withdrawn', async () => {
  void press();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  void changes.make('1', { ...favourite(false), mayBeSent: promise });
  await sent[0]?.fail();
  expect(errors).toEqual([]);
  resolve(false);
  await settle();
  expect([errors.length, shown, sent.length]).toEqual([1, stored, 1]);
});
