import { expect, test } from 'vitest';
import { ownThreadOf } from './own-thread.ts';

const post = (id: string, parent: string | null, author: string, parentAuthor: string | null = null) => ({
  id,
  in_reply_to_id: parent,
  in_reply_to_account_id: parentAuthor,
  account: { id: author },
});
const posts = [
  post('1', null, 'alice'),
  post('2', '1', 'alice', 'alice'),
  post('3', '1', 'bob', 'alice'),
  post('10', '2', 'alice', 'alice'),
  post('9', '2', 'alice', 'alice'),
  post('11', '3', 'bob', 'bob'),
  post('12', '9', 'bob', 'alice'),
];

test('the posts that an author continued are found from each of them, without those of others', () => {
  expect(ownThreadOf(posts, '1')).toEqual(['1', '2', '9']);
  expect(ownThreadOf(posts, '9')).toEqual(['1', '2', '9']);
  expect(ownThreadOf(posts, '3')).toEqual(['3', '11']);
});

test('a single post is no thread, nor is one whose beginning is not loaded, or a circle endless', () => {
  expect(ownThreadOf(posts, '12')).toEqual([]);
  expect(ownThreadOf(posts, '99')).toEqual([]);
  expect(ownThreadOf(posts.slice(1), '9')).toEqual([]);
  const circle = [post('1', '2', 'alice', 'alice'), post('2', '1', 'alice', 'alice')];
  expect(ownThreadOf(circle, '1')).toEqual(['2', '1']);
});
