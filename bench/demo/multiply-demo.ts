import type pg from 'pg';
import type { AccountId } from '../../server/platform/ids.ts';
import { propertyTerm } from '../../server/search/index.ts';
import { CopyBuffer } from './copy-buffer.ts';
import type { Person } from './people.ts';

/** Copies of an id are 16 milliseconds apart: what belongs to a post has ids of the milliseconds after it. */
const idStep = 16n << 16n;

/**
 * Inserts `copies` copies of the demo data, in the database: for millions of posts that takes a fraction of the time that
 * generating them would. Each copy is a community of its own, at the same times. Texts are those of the originals.
 */
export async function multiplyDemo(
  client: pg.Client,
  { people, copies }: { readonly people: readonly Person[]; readonly copies: number },
  progress: (share: number) => void,
): Promise<void> {
  await client.query(`create temp table copied (id bigint, copy_id bigint, shift bigint, username text, uri text, url text,
    term int, copy_term int) on commit drop`);
  await client.query(
    `create temp table shifts on commit drop as select n * ${idStep} as shift from generate_series(1, ${copies}) n`,
  );
  await listCopies(people, copies).flush(client);
  await client.query('analyze copied, shifts');
  const steps = Object.values(statements);
  for (const [index, statement] of steps.entries()) {
    progress(index / steps.length);
    await client.query(statement);
  }
}

function listCopies(people: readonly Person[], copies: number): CopyBuffer {
  const rows = new CopyBuffer('copied', 'id copy_id shift username uri url term copy_term'.split(' '));
  for (const { id, username, uri, url } of people) {
    for (let copy = 1; copy <= copies; copy += 1) {
      const shift = BigInt(copy) * idStep;
      const copyId = String(BigInt(id) + shift) as AccountId;
      const suffix = `x${copy}`;
      const terms = [propertyTerm.author(id as AccountId), propertyTerm.author(copyId)];
      rows.add([id, copyId, shift, `${username}${suffix}`, `${uri}${suffix}`, `${url}${suffix}`, ...terms].join('\t'));
    }
  }
  return rows;
}

/** By table. Rows of an account are joined with its copies, others with the shifts of ids. */
const statements = {
  accounts: `
    insert into accounts (id, username, domain, uri, url, actor_type, display_name, note, locked, discoverable, indexable,
      hide_collections, inbox_url, shared_inbox_url, outbox_url, followers_url, following_url, featured_url, created_at,
      updated_at, fetched_at)
    select copy_id, c.username, domain, c.uri, c.url, actor_type, display_name, note, locked, discoverable, indexable,
      hide_collections, replace(inbox_url, a.uri, c.uri), shared_inbox_url, replace(outbox_url, a.uri, c.uri),
      replace(followers_url, a.uri, c.uri), replace(following_url, a.uri, c.uri), replace(featured_url, a.uri, c.uri),
      created_at, updated_at, fetched_at
    from accounts a join copied c using (id)`,
  users: `
    insert into users (id, account_id, email, password_hash, confirmed_at, approved, last_active_at, created_at, updated_at)
    select copy_id, copy_id, c.username || '@demo.invalid', password_hash, confirmed_at, approved, last_active_at, created_at,
      updated_at
    from users join copied c using (id)`,
  account_stats: `
    insert into account_stats (account_id, followers_count, following_count, local_followers_count)
    select copy_id, followers_count, following_count, local_followers_count
    from account_stats join copied c on c.id = account_id`,
  follows: `
    insert into follows (id, account_id, target_account_id, uri, created_at)
    select f.id + shift, copy_id, target_account_id + shift,
      case when f.uri is not null then c.uri || '#follows/' || (f.id + shift) end, created_at
    from follows f join copied c on c.id = f.account_id`,
  conversations: `
    insert into conversations (id, created_at) select id + shift, created_at from conversations cross join shifts`,
  statuses: `
    insert into statuses (id, account_id, uri, url, local, text, content, spoiler_text, sensitive, language, visibility,
      in_reply_to_id, in_reply_to_account_id, is_reply, reblog_of_id, conversation_id, quote_policy, created_at)
    select s.id + shift, copy_id,
      c.uri || '/statuses/' || (s.id + shift) || case when reblog_of_id is null then '' else '/activity' end,
      case when reblog_of_id is null then c.url || '/' || (s.id + shift)
        else c.uri || '/statuses/' || (s.id + shift) || '/activity' end,
      local, text, content, spoiler_text, sensitive, language, visibility, in_reply_to_id + shift,
      in_reply_to_account_id + shift, is_reply, reblog_of_id + shift, conversation_id + shift, quote_policy, created_at
    from statuses s join copied c on c.id = s.account_id`,
  status_search: `
    insert into status_search (status_id, terms)
    select status_id + shift, array_replace(terms, term, copy_term)
    from status_search join statuses s on s.id = status_id join copied c on c.id = s.account_id`,
  status_stats: `
    insert into status_stats (status_id, replies_count, reblogs_count, favourites_count, quotes_count)
    select status_id + shift, replies_count, reblogs_count, favourites_count, quotes_count
    from status_stats cross join shifts`,
  status_tags: `
    insert into status_tags (tag_id, status_id) select tag_id, status_id + shift from status_tags cross join shifts`,
  mentions: `
    insert into mentions (id, status_id, account_id, silent)
    select id + shift, status_id + shift, account_id + shift, silent from mentions cross join shifts`,
  quotes: `
    insert into quotes (id, status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, approval_uri,
      created_at)
    select q.id + shift, status_id + shift, account_id + shift, quoted_status_id + shift, copy_id,
      c.uri || '/statuses/' || (quoted_status_id + shift), state,
      case when approval_uri is not null then c.uri || '/quote_authorizations/' || (q.id + shift) end, created_at
    from quotes q join copied c on c.id = quoted_account_id`,
  account_conversations: `
    insert into account_conversations (id, account_id, conversation_id, participant_ids, status_ids, last_status_id, unread)
    select id + shift, account_id + shift, conversation_id + shift,
      array(select part + shift from unnest(participant_ids) part), array(select part + shift from unnest(status_ids) part),
      last_status_id + shift, unread
    from account_conversations cross join shifts`,
  favourites: `
    insert into favourites (id, account_id, status_id, created_at, uri)
    select f.id + shift, copy_id, status_id + shift, created_at,
      case when f.uri is not null then c.uri || '#likes/' || (f.id + shift) end
    from favourites f join copied c on c.id = f.account_id`,
  notifications: `
    insert into notifications (account_id, id, type, from_account_id, status_id, group_key, created_at)
    select account_id + shift, id + shift, type, from_account_id + shift, status_id + shift,
      replace(group_key, coalesce('-' || status_id || '-', ''), coalesce('-' || (status_id + shift) || '-', '')), created_at
    from notifications cross join shifts`,
} as const satisfies Readonly<Record<string, string>>;
