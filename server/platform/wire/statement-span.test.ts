import { expect, test } from 'vitest';
import { summarize } from './statement-span.ts';

test.each([
  ['commit', 'COMMIT'],
  ['begin read write; set local lock_timeout = 100', 'BEGIN'],
  ['select id from accounts where id = $1', 'SELECT accounts'],
  ['select "id" from "accounts"', 'SELECT accounts'],
  ['  with due as (select id from jobs for update skip locked)\nselect * from due', 'SELECT jobs'],
  ['select request.* from unnest($1::bigint[]) as request cross join lateral (select 1 from tags)', 'SELECT tags'],
  ['insert into "statuses" (id) values ($1) on conflict (id) do update set id = excluded.id', 'INSERT statuses'],
  [
    'with gone as (delete from jobs where id = $1 returning *) insert into tombstones select * from gone',
    'DELETE jobs',
  ],
  ['update jobs job set leased_until = $1', 'UPDATE jobs'],
  ['update jobs set leased_until = $1 where id = any(array(select id from jobs for update))', 'UPDATE jobs'],
  ['', ''],
])('the summary of %j is %j', (text, summary) => {
  expect(summarize(text)).toBe(summary);
});
