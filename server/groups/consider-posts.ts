import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { newId, type AccountId, type StatusId } from '../platform/ids.ts';
import { transaction } from '../platform/write/transaction.ts';
import { groupPostAccepted, groupPostWaiting } from './events.ts';
import { loadGroupNames } from './group-names.ts';
import { writable } from './tables.ts';

interface Candidate {
  readonly status_id: StatusId;
  readonly group_id: AccountId;
  readonly reply: boolean;
  readonly waits: boolean;
}

/** One post reaches at most so many groups. */
const maxGroupsPerPost = 5;
/** Older posts are no news: they were fetched later, with a thread or a profile. */
const maxAgeMs = 7 * 86_400_000;

/**
 * Selects the groups that a post belongs to: those that it mentions, if it replies to nothing, or those of the post that
 * it replies to. Its author is a member or moderator and no group itself, so that groups never answer each other. What
 * members of limited accounts, of moderated groups and of groups without moderators post waits.
 */
const selectCandidates = preparedQuery<Candidate>()(
  (db, { ids, since }: { ids: readonly StatusId[]; since: Date }) => ({
    compile: () =>
      sql<Candidate>`
      select status_id, group_id, reply, waits from (
        select status.id as status_id, groups.account_id as group_id, answer.is_answer as reply,
          not answer.is_answer and not own.moderates and (
            groups.moderated or author.silenced_at is not null
            or not exists (select from group_moderators where group_id = groups.account_id)) as waits,
          row_number() over (partition by status.id order by groups.account_id) as place
        from statuses status
          join accounts author on author.id = status.account_id
          cross join lateral (select status.is_reply or status.in_reply_to_id is not null as is_answer) as answer
          cross join lateral (
            select account_id as group_id from mentions where mentions.status_id = status.id and not answer.is_answer
            union
            select parent.group_id from group_posts parent
            where parent.status_id = status.in_reply_to_id and parent.state = 'accepted') as target
          join groups on groups.account_id = target.group_id
          join accounts self on self.id = groups.account_id
          cross join lateral (
            select exists (select from group_moderators moderator
              where moderator.group_id = groups.account_id and moderator.account_id = author.id) as moderates) as own
        where status.id = any(${ids}::bigint[]) and status.deleted_at is null and status.reblog_of_id is null
          and status.created_at > ${since}
          and status.visibility in ('public', 'unlisted', 'local_public', 'local_unlisted')
          and author.actor_type <> 'Group' and author.suspended_at is null and author.deleted_at is null
          and self.suspended_at is null and self.deleted_at is null
          and (own.moderates or (
            (groups.posting = 'members' or answer.is_answer) and exists (select from follows
              where account_id = author.id and target_account_id = groups.account_id)))
          and not exists (select from group_posts known
            where known.group_id = groups.account_id and known.status_id = status.id)
      ) as candidate
      where place <= ${maxGroupsPerPost}::int`.compile(db),
  }),
);

/**
 * Makes new posts those of the groups that they belong to, or lets them wait for a moderator. Idempotent. `activity`: the
 * Create that brought a remote post, as JSON.
 */
export async function considerPosts(app: App, ids: readonly StatusId[], activity?: string): Promise<void> {
  if ((await loadGroupNames(app)).size === 0) return;
  const now = app.clock.now();
  const candidates = await selectCandidates(app, { ids, since: new Date(now.getTime() - maxAgeMs) });
  if (candidates.length === 0) return;
  await transaction(app, async (tx) => {
    const stored = await writable(tx.db)
      .insertInto('group_posts')
      .values(
        candidates.map(({ group_id, status_id, reply, waits }) => ({
          id: newId<'row'>(now),
          group_id,
          status_id,
          reply,
          state: waits ? ('waiting' as const) : ('accepted' as const),
          activity: activity ?? null,
          created_at: now,
        })),
      )
      .onConflict((conflict) => conflict.columns(['group_id', 'status_id']).doNothing())
      .returning(['group_id', 'status_id', 'state', 'reply'])
      .execute();
    for (const { group_id: groupId, status_id: statusId, state, reply } of stored) {
      if (state === 'waiting') tx.emit(groupPostWaiting({ groupId, statusId }));
      else tx.emit(groupPostAccepted({ groupId, statusId, reply, approved: false }));
    }
  });
}
