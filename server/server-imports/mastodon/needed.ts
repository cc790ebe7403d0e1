/** Whether the source has a table. */
export type HasTable = (table: string) => boolean;

/** SQL: whether an account is local. */
const isLocal = (id: string): string => `exists (select from accounts l where l.id = ${id} and l.domain is null)`;

/**
 * SQL: whether a local account has something to do with the post `post`, which is an alias. Threads are followed from post to post,
 * because no index finds all posts of a conversation before 4.5.
 */
export function isNeededPost(post: string, hasTable: HasTable): string {
  const above = `with recursive above (id) as (select ${post}.in_reply_to_id union select p.in_reply_to_id
    from above join statuses p on p.id = above.id where p.in_reply_to_id is not null)
    select from above join statuses p on p.id = above.id where ${isLocal('p.account_id')}`;
  const below = `with recursive below (id, account_id) as (select r.id, r.account_id from statuses r where r.in_reply_to_id = ${post}.id
    union select r.id, r.account_id from below join statuses r on r.in_reply_to_id = below.id)
    select from below where ${isLocal('below.account_id')}`;
  return [
    isLocal(`${post}.account_id`),
    isLocal(`${post}.in_reply_to_account_id`),
    ...[
      `select from mentions m where m.status_id = ${post}.id and ${isLocal('m.account_id')}`,
      `select from favourites f where f.status_id = ${post}.id and ${isLocal('f.account_id')}`,
      `select from bookmarks b where b.status_id = ${post}.id`,
      `select from statuses r where r.reblog_of_id = ${post}.id and ${isLocal('r.account_id')}`,
      `select from statuses o where o.id = ${post}.reblog_of_id and ${isLocal('o.account_id')}`,
      `select from poll_votes v where v.poll_id = ${post}.poll_id and ${isLocal('v.account_id')}`,
      `select from custom_filter_statuses f where f.status_id = ${post}.id`,
      `select from reports r where r.target_account_id = ${post}.account_id and ${post}.id = any (r.status_ids)`,
      ...(hasTable('quotes')
        ? [
            `select from quotes q where q.quoted_status_id = ${post}.id and ${isLocal('q.account_id')}`,
            `select from quotes q where q.status_id = ${post}.id and ${isLocal('q.quoted_account_id')}`,
          ]
        : []),
      above,
      below,
    ].map((query) => `exists (${query})`),
  ].join(' or ');
}

/** Columns of accounts in tables where a local account has something to do with each row, if they have an index. */
const relations: readonly (readonly [table: string, column: string])[] = [
  ['follows', 'account_id'],
  ['follows', 'target_account_id'],
  ['follow_requests', 'account_id'],
  ['blocks', 'account_id'],
  ['blocks', 'target_account_id'],
  ['mutes', 'target_account_id'],
  ['account_notes', 'target_account_id'],
  ['account_pins', 'target_account_id'],
  ['list_accounts', 'account_id'],
  ['reports', 'account_id'],
  ['reports', 'target_account_id'],
  ['account_warnings', 'target_account_id'],
  ['account_moderation_notes', 'target_account_id'],
  ['notifications', 'from_account_id'],
];

/** As `relations`, without an index. */
const smallRelations: readonly (readonly [table: string, column: string])[] = [
  ['follow_requests', 'target_account_id'],
  ['account_migrations', 'target_account_id'],
];

/** As `smallRelations`, in tables of newer versions. */
const newRelations: readonly (readonly [table: string, column: string])[] = [
  ['collection_items', 'account_id'],
  ['collections', 'account_id'],
  ['severed_relationships', 'remote_account_id'],
  ['follow_recommendation_mutes', 'target_account_id'],
];

/** SQL: whether something that is taken is about the remote account `s`. */
export function isNeededAccount(hasTable: HasTable): string {
  const isOneOf = ([table, column]: readonly [string, string]): string =>
    `s.id in (select x.${column} from ${table} x where x.${column} is not null)`;
  const needed = isNeededPost('p', hasTable);
  return [
    's.domain is null',
    ...relations.map(([table, column]) => `exists (select from ${table} x where x.${column} = s.id)`),
    ...smallRelations.map(isOneOf),
    ...newRelations.filter(([table]) => hasTable(table)).map(isOneOf),
    ...[
      `select from accounts m where m.moved_to_account_id = s.id and m.domain is null`,
      `select from favourites f join statuses p on p.id = f.status_id where f.account_id = s.id and ${isLocal('p.account_id')}`,
      `select from poll_votes v join polls p on p.id = v.poll_id where v.account_id = s.id and ${isLocal('p.account_id')}`,
      `select from mentions m join statuses p on p.id = m.status_id where m.account_id = s.id and p.deleted_at is null and (${needed})`,
      `select from statuses p where p.account_id = s.id and p.deleted_at is null and (${needed})`,
    ].map((query) => `exists (${query})`),
  ].join(' or ');
}
