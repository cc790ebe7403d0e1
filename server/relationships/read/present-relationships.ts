import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Relationship } from '../schema.ts';

interface RelationshipRow {
  readonly id: AccountId;
  readonly suspended: boolean;
  readonly following: boolean;
  readonly requested: boolean;
  readonly show_reblogs: boolean | null;
  readonly notify: boolean | null;
  readonly languages: string[] | null;
  readonly followed_by: boolean;
  readonly requested_by: boolean;
  readonly blocking: boolean;
  readonly muting: boolean;
  readonly hide_notifications: boolean | null;
  readonly expires_at: Date | null;
  readonly domain_blocking: boolean;
  readonly endorsed: boolean;
  readonly note: string | null;
}

interface Args {
  readonly viewer: AccountId;
  readonly ids: readonly AccountId[];
  readonly now: Date;
}

const loadRelationshipRows = preparedQuery<RelationshipRow>()((db, { viewer, ids, now }: Args) =>
  db
    .selectFrom(
      sql<{ id: AccountId; place: string }>`unnest(${ids}::bigint[]) with ordinality`.as<'requested'>(
        sql`requested(id, place)`,
      ),
    )
    .innerJoin('accounts', 'accounts.id', 'requested.id')
    .leftJoin('follows as f', (join) =>
      join.on('f.account_id', '=', viewer).onRef('f.target_account_id', '=', 'accounts.id'),
    )
    .leftJoin('follow_requests as r', (join) =>
      join.on('r.account_id', '=', viewer).onRef('r.target_account_id', '=', 'accounts.id'),
    )
    .leftJoin('follows as back', (join) =>
      join.on('back.target_account_id', '=', viewer).onRef('back.account_id', '=', 'accounts.id'),
    )
    .leftJoin('follow_requests as asking', (join) =>
      join.on('asking.target_account_id', '=', viewer).onRef('asking.account_id', '=', 'accounts.id'),
    )
    .leftJoin('blocks as b', (join) =>
      join.on('b.account_id', '=', viewer).onRef('b.target_account_id', '=', 'accounts.id'),
    )
    .leftJoin('mutes as m', (join) =>
      join
        .on('m.account_id', '=', viewer)
        .onRef('m.target_account_id', '=', 'accounts.id')
        .on(sql<boolean>`(m.expires_at is null or m.expires_at > ${now}::timestamptz)`),
    )
    .leftJoin('account_domain_blocks as d', (join) =>
      join.on('d.account_id', '=', viewer).onRef('d.domain', '=', 'accounts.domain'),
    )
    .leftJoin('endorsements as e', (join) =>
      join.on('e.account_id', '=', viewer).onRef('e.target_account_id', '=', 'accounts.id'),
    )
    .leftJoin('account_notes as n', (join) =>
      join.on('n.account_id', '=', viewer).onRef('n.target_account_id', '=', 'accounts.id'),
    )
    .select([
      'accounts.id',
      sql<boolean>`accounts.suspended_at is not null`.as('suspended'),
      sql<boolean>`f.id is not null`.as('following'),
      sql<boolean>`r.id is not null`.as('requested'),
      sql<boolean | null>`coalesce(f.show_reblogs, r.show_reblogs)`.as('show_reblogs'),
      sql<boolean | null>`coalesce(f.notify, r.notify)`.as('notify'),
      sql<string[] | null>`coalesce(f.languages, r.languages)`.as('languages'),
      sql<boolean>`back.id is not null`.as('followed_by'),
      sql<boolean>`asking.id is not null`.as('requested_by'),
      sql<boolean>`b.id is not null`.as('blocking'),
      sql<boolean>`m.id is not null`.as('muting'),
      'm.hide_notifications',
      'm.expires_at',
      sql<boolean>`d.id is not null`.as('domain_blocking'),
      sql<boolean>`e.id is not null`.as('endorsed'),
      'n.comment as note',
    ])
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.activated', '=', true)
    .orderBy('requested.place'),
);

/** Returns the viewer's relationships to these accounts in order, each once, in one query. Leaves out unknown accounts. */
export async function presentRelationships(
  app: App,
  viewerId: AccountId,
  ids: readonly AccountId[],
  { withSuspended = true }: { withSuspended?: boolean } = {},
): Promise<Relationship[]> {
  if (ids.length === 0) return [];
  const rows = await loadRelationshipRows(app, { viewer: viewerId, ids: [...new Set(ids)], now: app.clock.now() });
  return rows.filter(({ suspended }) => withSuspended || !suspended).map(renderRelationship);
}

function renderRelationship(row: RelationshipRow): Relationship {
  return {
    id: row.id,
    following: row.following,
    // REL-02 defines it by a follow or a request; its "default true" is the default of the option of either (FOL-04).
    // Without one it is false, as every client has known it.
    showing_reblogs: row.show_reblogs ?? false,
    notifying: row.notify ?? false,
    languages: row.languages,
    followed_by: row.followed_by,
    blocking: row.blocking,
    muting: row.muting,
    muting_notifications: row.hide_notifications ?? false,
    muting_expires_at: row.expires_at?.toISOString() ?? null,
    requested: row.requested,
    requested_by: row.requested_by,
    domain_blocking: row.domain_blocking,
    endorsed: row.endorsed,
    note: row.note ?? '',
  };
}
