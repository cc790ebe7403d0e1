/** SQL: whether an account is local. */
const isLocal = (account: string): string =>
  `exists (select from accounts l where l.ulid = ${account} and l.domain is null)`;

/** SQL: whether a local account has something to do with the post `post`, which is an alias. */
export const isNeededPost = (post: string): string =>
  [
    `${post}.local`,
    isLocal(`${post}.in_reply_to_account_id`),
    ...[
      `select from mentions m where m.status_id = ${post}.ulid and ${isLocal('m.target_account_id')}`,
      `select from status_faves f where f.status_id = ${post}.ulid and ${isLocal('f.account_id')}`,
      `select from status_bookmarks b where b.status_id = ${post}.ulid`,
      `select from statuses r where r.local and r.boost_of_id = ${post}.ulid`,
      `select from statuses o where o.local and o.ulid = ${post}.boost_of_id`,
      `select from statuses t where t.local and t.thread_id = ${post}.thread_id`,
      `select from poll_votes v where v.poll_id = ${post}.poll_id and ${isLocal('v.account_id')}`,
      `select from filter_statuses f where f.status_id = ${post}.ulid`,
      `select from reports r where r.target_account_id = ${post}.account_id and r.statuses ? ${post}.ulid`,
    ].map((query) => `exists (${query})`),
  ].join(' or ');

/** Columns of accounts in tables where a local account has something to do with each row. */
const relations: readonly (readonly [table: string, column: string])[] = [
  ['follows', 'account_id'],
  ['follows', 'target_account_id'],
  ['follow_requests', 'account_id'],
  ['follow_requests', 'target_account_id'],
  ['blocks', 'account_id'],
  ['blocks', 'target_account_id'],
  ['user_mutes', 'target_account_id'],
  ['account_notes', 'target_account_id'],
  ['reports', 'account_id'],
  ['reports', 'target_account_id'],
  ['notifications', 'origin_account_id'],
  ['interaction_requests', 'interacting_account_id'],
];

/** SQL: whether something that is taken is about the remote account `s`. */
export const isNeededAccount = [
  's.domain is null',
  ...[
    ...relations.map(([table, column]) => `select from ${table} x where x.${column} = s.ulid`),
    `select from accounts m where m.moved_to_uri = s.uri and m.domain is null`,
    `select from status_faves f join statuses p on p.ulid = f.status_id where f.account_id = s.ulid and p.local`,
    `select from poll_votes v join polls l on l.ulid = v.poll_id join statuses p on p.ulid = l.status_id
      where v.account_id = s.ulid and p.local`,
    `select from mentions m join statuses p on p.ulid = m.status_id where m.target_account_id = s.ulid and (${isNeededPost('p')})`,
    `select from statuses p where p.account_id = s.ulid and (${isNeededPost('p')})`,
  ].map((query) => `exists (${query})`),
].join(' or ');
