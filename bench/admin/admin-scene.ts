import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';

/** Accounts that a scene adds, half of them local. */
const accountCount = 90_000;
/** The domain of the first remote account; present once a scene was stored. */
const firstDomain = 'admin0.bench.test';

/** An id of a row that was created so many minutes ago. */
const idBefore = (minutes: RawBuilder<unknown>) =>
  sql`(((extract(epoch from now()) * 1000)::bigint - (${minutes})::bigint * 60000) << 16) + n % 65536`;

const someAccount = sql`(select ids[(1 + (n::bigint * 7919) % cardinality(ids))::int] from sample)`;
const otherAccount = sql`(select ids[(1 + (n::bigint * 104729 + 1) % cardinality(ids))::int] from sample)`;
const remoteAccount = sql`(select ids[(1 + (n::bigint * 7919) % cardinality(ids))::int] from remote)`;
const someStaff = sql`(select ids[1 + n % 20] from sample)`;

/** Rows of numbered objects, and a sample of local accounts to which they belong. */
const rows = (count: number) => sql`
  with sample as materialized (
    select array(select account_id from users order by account_id limit 20000) as ids
  ), remote as materialized (
    select array(select id from accounts where domain like '%.bench.test' order by id limit 20000) as ids
  ), numbers as (select n, now() - n * interval '3 minutes' as at from generate_series(1, ${count}::int) n)`;

const statements: readonly RawBuilder<unknown>[] = [
  sql`
    insert into accounts (id, username, domain, uri, display_name, inbox_url, silenced_at, sensitized_at, suspended_at,
      suspension_origin, created_at, updated_at)
    select ${idBefore(sql`n * 5`)}, 'admin' || n, domain, 'https://' || coalesce(domain, 'bench.test') || '/users/admin' || n,
      'Person ' || n, case when domain is not null then 'https://' || domain || '/inbox' end,
      case when n % 50 = 3 then now() end, case when n % 100 = 5 then now() end,
      case when n % 100 = 7 then now() end, case when n % 100 = 7 then 'local' end, now(), now()
    from (
      select n, case when n % 2 = 0 then 'admin' || (n / 2) % 2000 || '.bench.test' end as domain
      from generate_series(0, ${accountCount}::int - 1) n
    ) numbers`,
  sql`insert into account_stats (account_id) select id from accounts where username like 'admin%' on conflict do nothing`,
  sql`
    insert into users (id, account_id, email, password_hash, role_id, confirmed_at, approved, disabled, created_at,
      updated_at, last_active_at)
    select id, id, username || '@mail' || n % 100 || '.bench.test', '-', case when n % 4000 = 1 then 1 else -99 end,
      case when n % 50 <> 9 then now() end, n % 100 <> 11, n % 100 = 13, now() - n * interval '5 minutes', now(),
      now() - n % 200 * interval '1 day'
    from (
      select id, username, substr(username, 6)::int as n from accounts
      where domain is null and username ~ '^admin[0-9]+$'
    ) numbers`,
  sql`
    insert into user_ips (user_id, ip, used_at)
    select id, ('10.' || (id >> 16) / 300000 % 250 || '.' || turn || '.' || (id >> 16) / 75000000 % 250)::inet, now() - turn * interval '1 day'
    from users, generate_series(1, 3) turn where email like '%.bench.test' on conflict do nothing`,
  sql`${rows(50)}
    insert into invites (id, code, user_id, created_at)
    select ${idBefore(sql`n`)}, 'bench' || n, (select id from users where account_id = ${someAccount}), at from numbers`,
  sql`
    update users set invite_id = (select id from invites where code = 'bench' || 1 + id % 50)
    where email like '%.bench.test' and (id >> 16) % 10 = 0`,
  sql`${rows(50_000)}
    insert into reports (id, account_id, target_account_id, category, comment, status_ids, collection_ids, forward_domains,
      forwarded, assigned_account_id, action_taken_at, action_taken_by_account_id, created_at, updated_at)
    select ${idBefore(sql`n * 3`)}, ${someAccount}, case when n % 40 = 1 then ${remoteAccount} else ${otherAccount} end,
      case when n % 1000 = 3 then 'legal' when n % 5 = 0 then 'violation' else 'spam' end, 'A comment about ' || n, '{}', '{}', '{}', false,
      case when n % 7 = 0 then ${someStaff} end, case when n % 10 <> 0 then at end,
      case when n % 10 <> 0 then ${someStaff} end, at, at
    from numbers`,
  sql`${rows(50_000)}
    insert into account_warnings (id, account_id, staff_id, action, text, created_at)
    select ${idBefore(sql`n * 3`)}, ${someAccount}, ${someStaff}, 'none', 'Please read the rules', at from numbers`,
  sql`
    insert into appeals (id, warning_id, account_id, text, state, decided_at, created_at)
    select id, id, account_id, 'It was a joke', (array['pending', 'approved', 'rejected'])[1 + (id >> 16) % 3],
      case when (id >> 16) % 3 > 0 then now() end, created_at
    from account_warnings where (id >> 16) % 10 = 0 on conflict do nothing`,
  sql`${rows(50_000)}
    insert into account_moderation_notes (id, account_id, staff_id, content, created_at)
    select ${idBefore(sql`n * 3`)}, case when n % 100 = 0 then (select ids[1] from sample) else ${someAccount} end, ${someStaff},
      'Note ' || n, at from numbers`,
  sql`${rows(200_000)}
    insert into audit_log (id, staff_id, staff_name, action, target_type, target_id, target_label, before, after, created_at)
    select ${idBefore(sql`n`)}, ${someStaff}, 'staff', type || '.' || (array['create', 'update', 'delete'])[1 + n / 7 % 3], type,
      ${someAccount}::text, 'Target ' || n, null, '{"state": "new"}', at
    from (select *, (array['account', 'report', 'domain_block', 'ip_block', 'rule'])[1 + n % 5] as type from numbers) numbers`,
  sql`
    insert into domain_blocks (id, domain, severity, created_at)
    select ${idBefore(sql`n`)}, 'blocked' || n || '.bench.test', (array['noop', 'silence', 'suspend'])[1 + n % 3], now()
    from generate_series(1, 20000) n on conflict do nothing`,
  sql`
    insert into domain_allows (id, domain, created_at)
    select ${idBefore(sql`n`)}, 'allowed' || n || '.bench.test', now() from generate_series(1, 5000) n on conflict do nothing`,
  sql`
    insert into email_domain_blocks (id, domain, allow_with_approval, created_at)
    select ${idBefore(sql`n`)}, 'mail' || n || '.spam.test', n % 2 = 0, now() from generate_series(1, 20000) n
    on conflict do nothing`,
  sql`
    insert into canonical_email_blocks (id, canonical_email_hash, created_at)
    select ${idBefore(sql`n`)}, encode(sha256(n::text::bytea), 'hex'), now() from generate_series(1, 20000) n
    on conflict do nothing`,
];

/** What the requests are about. */
export interface AdminScene {
  /** An account with reports, strikes and notes. */
  readonly accountId: string;
  /** A staff member with entries of the audit log. */
  readonly staffId: string;
  readonly reportId: string;
  /** A hashtag that many posts have. */
  readonly tagId: string;
  /** A domain with many accounts and posts. */
  readonly domain: string;
}

/** Stores accounts, reports and the like for staff, unless an earlier run did. */
export async function createAdminScene(app: App): Promise<AdminScene> {
  const { rows: found } = await sql`select from accounts where domain = ${firstDomain} limit 1`.execute(app.db);
  if (found.length === 0) {
    await transaction(app, async ({ db }) => {
      for (const statement of statements) await statement.execute(db);
    });
    for (const table of ['accounts', 'users', 'user_ips', 'reports', 'audit_log', 'account_warnings'])
      await transaction(app, ({ db }) => sql`analyze ${sql.id(table)}`.execute(db));
  }
  const { rows: scenes } = await sql<AdminScene>`
    select reports.target_account_id as "accountId", staff.staff_id as "staffId", reports.id as "reportId",
      coalesce(tag.tag_id, 0) as "tagId", coalesce(server.domain, '') as domain
    from (select id, target_account_id from reports order by id limit 1 offset 1000) reports
    cross join (select staff_id from audit_log where staff_id is not null limit 1) staff
    left join (select tag_id from status_tags group by tag_id order by count(*) desc limit 1) tag on true
    left join (
      select domain from accounts where domain is not null and domain not like '%.bench.test'
      group by domain order by count(*) desc limit 1) server on true`.execute(app.db);
  const [scene] = scenes;
  if (scene === undefined) throw new Error('the scene has no report or entry of the audit log');
  return scene;
}
