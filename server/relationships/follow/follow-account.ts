import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import { findAccount, requireAccount, type AccountRow } from '../../accounts/find/index.ts';
import { recordMatches } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { forbidden, invalidField, notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { accountFollowed, followChanged, followRequested, relationsChanged } from '../events.ts';
import { assertFollowable, maxFollows, needsApproval } from './follow-rules.ts';
import { followText, screenFollow } from './screen-follow.ts';
import { lockPair } from './lock-pair.ts';
import { blocksDomainSql, followsSql, isBlockedEitherWaySql, mutesSql } from '../rules/relation-rules.ts';
import { writable } from '../tables.ts';

/** Options of a follow. An absent one keeps its value, or gets its default. */
export interface FollowOptions {
  /** Default true. */
  readonly reblogs?: boolean | undefined;
  /** Notify of each status; default false. */
  readonly notify?: boolean | undefined;
  /** Only statuses in these languages; empty (the default): all. */
  readonly languages?: readonly string[] | undefined;
  /** Id of a remote Follow activity. */
  readonly uri?: string | undefined;
}

/**
 * Follows an account, or requests to (FOL-01, FOL-02) if the target is remote or locked, or the follower is silenced or
 * muted by it, or a moderation rule holds it. Updates the options of an existing follow. Throws 403 (oneself, blocked
 * either way, moved, refused by a moderation rule), 404
 * (suspended), 422 (OStatus, too many follows, an unknown language).
 */
export async function followAccount(
  app: App,
  accountId: AccountId,
  targetId: AccountId,
  requested: FollowOptions = {},
): Promise<'following' | 'requested'> {
  const options = { ...requested, languages: parseLanguages(requested.languages) };
  const [account, target] = await Promise.all([findAccount(app, accountId), requireAccount(app, targetId)]);
  if (account === undefined) throw notFound();
  assertFollowable(account, target);
  const verdict = await screenFollow(app, account, targetId, options.uri);
  return transaction(app, async (tx) => {
    await lockPair(tx, accountId, targetId);
    const state = await loadFollowState(tx, app, account, target);
    if (state.blocked) throw forbidden();
    if (state.following) {
      await updateOptions(tx, 'follows', { accountId, targetId, options });
      return 'following';
    }
    if (state.requested) {
      await updateOptions(tx, 'follow_requests', { accountId, targetId, options });
      return 'requested';
    }
    if (account.domain === null && state.followingCount >= maxFollows(state.followersCount)) {
      throw validationFailed('relationships.tooManyFollows', { max: maxFollows(state.followersCount) });
    }
    const needsRequest =
      target.domain !== null ||
      needsApproval({
        targetLocked: target.locked,
        followerSilenced: account.silenced_at !== null,
        mutedByTarget: state.mutedByTarget,
      });
    const isHeld = verdict?.actions.has('hold') === true;
    if (verdict !== undefined) {
      await recordMatches(tx, app, verdict, {
        type: 'follow',
        id: targetId,
        accountId,
        uri: options.uri,
        text: followText(account),
        effects: isHeld && !needsRequest ? { held: true } : {},
      });
    }
    return needsRequest || isHeld
      ? insertFollowRequest(tx, app, { account, target, options })
      : insertFollow(tx, app, { account, target, options });
  });
}

interface FollowState {
  readonly following: boolean;
  readonly requested: boolean;
  /** One of the two blocks the other or its domain. */
  readonly blocked: boolean;
  readonly mutedByTarget: boolean;
  readonly followingCount: number;
  readonly followersCount: number;
}

async function loadFollowState(
  tx: Transaction,
  app: App,
  account: AccountRow,
  target: AccountRow,
): Promise<FollowState> {
  const a = sql`${account.id}::bigint`;
  const t = sql`${target.id}::bigint`;
  const { rows } = await sql<FollowState>`
    select
      ${followsSql(a, t)} as "following",
      exists (select from follow_requests where account_id = ${a} and target_account_id = ${t}) as "requested",
      ${isBlockedEitherWaySql(a, t)} or ${blocksDomainSql(a, sql`${target.domain}::text`)}
        or ${blocksDomainSql(t, sql`${account.domain}::text`)} as "blocked",
      ${mutesSql(t, a, app.clock.now())} as "mutedByTarget",
      coalesce(stats.following_count, 0) as "followingCount",
      coalesce(stats.followers_count, 0) as "followersCount"
    from (select ${a} as id) as follower left join account_stats as stats on stats.account_id = follower.id`.execute(
    tx.db,
  );
  const [state] = rows;
  if (state === undefined) throw new Error('a query for one row returned none');
  return state;
}

interface NewFollow {
  readonly account: AccountRow;
  readonly target: AccountRow;
  readonly options: FollowOptions;
}

async function insertFollowRequest(
  tx: Transaction,
  app: App,
  { account, target, options }: NewFollow,
): Promise<'requested'> {
  const row = toFollowRow(app, account.id, target.id, options);
  await writable(tx.db).insertInto('follow_requests').values(row).execute();
  tx.emit(followRequested({ requestId: row.id, accountId: account.id, targetAccountId: target.id }));
  for (const id of [account.id, target.id]) tx.emit(relationsChanged({ accountId: id }));
  return 'requested';
}

async function insertFollow(tx: Transaction, app: App, { account, target, options }: NewFollow): Promise<'following'> {
  const row = toFollowRow(app, account.id, target.id, options);
  await writable(tx.db).insertInto('follows').values(row).execute();
  adjustAccountStats(tx, [
    { accountId: account.id, following: 1 },
    { accountId: target.id, followers: 1, localFollowers: account.domain === null ? 1 : 0 },
  ]);
  tx.emit(accountFollowed({ followId: row.id, accountId: account.id, targetAccountId: target.id, followUri: row.uri }));
  for (const id of [account.id, target.id]) tx.emit(relationsChanged({ accountId: id }));
  return 'following';
}

function toFollowRow(app: App, accountId: AccountId, targetId: AccountId, options: FollowOptions) {
  return {
    id: newId<'row'>(app.clock.now()),
    account_id: accountId,
    target_account_id: targetId,
    show_reblogs: options.reblogs ?? true,
    notify: options.notify ?? false,
    languages: uniqueLanguages(options),
    uri: options.uri ?? null,
    created_at: app.clock.now(),
  };
}

async function updateOptions(
  tx: Transaction,
  table: 'follows' | 'follow_requests',
  { accountId, targetId, options }: { accountId: AccountId; targetId: AccountId; options: FollowOptions },
): Promise<void> {
  const changes = {
    ...(options.reblogs !== undefined && { show_reblogs: options.reblogs }),
    ...(options.notify !== undefined && { notify: options.notify }),
    ...(options.languages !== undefined && { languages: uniqueLanguages(options) }),
    // The remote server may have lost the first activity, and answers to the last one.
    ...(options.uri !== undefined && { uri: options.uri }),
  };
  if (Object.keys(changes).length === 0) return;
  await writable(tx.db)
    .updateTable(table)
    .set(changes)
    .where('account_id', '=', accountId)
    .where('target_account_id', '=', targetId)
    .execute();
  if (table === 'follows' && (options.reblogs !== undefined || options.languages !== undefined)) {
    tx.emit(followChanged({ accountId, targetAccountId: targetId }));
  }
  for (const id of [accountId, targetId]) tx.emit(relationsChanged({ accountId: id }));
}

/** Returns the listed languages that are nearest to these tags. Throws 422 if there is none. */
function parseLanguages(tags: FollowOptions['languages']): string[] | undefined {
  // A form sends one empty value for "all languages".
  return tags
    ?.filter((tag) => tag !== '')
    .map((tag) => {
      const language = findLanguage(tag);
      if (language === undefined) throw invalidField('languages', 'problems.unknownLanguage', { code: tag });
      return language;
    });
}

function uniqueLanguages({ languages }: FollowOptions): string[] | null {
  return languages === undefined || languages.length === 0 ? null : [...new Set(languages)];
}
