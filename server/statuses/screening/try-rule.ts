import { sql } from 'kysely';
import { Type } from 'typebox';
import { ruleTrialStarted, type ModerationRuleTrialId, type TrialSample } from '../../moderation-rules/index.ts';
import { compileRules, listLinks, matchRules, type CompiledRules } from '../../moderation-rules/matching/index.ts';
import { findTrial, storeTrialProgress } from '../../moderation-rules/trials/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { later } from '../../platform/write/reactions.ts';
import { idFromDate, type AccountId, type StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { loadFollowersAmong } from '../../relationships/rules/index.ts';
import { htmlToText, truncateText } from '../../text/index.ts';
import { isExemptFromRulesSql } from '../../users/roles/index.ts';

/** Posts that one job compares. */
const batchSize = 200;
/** Posts that one trial compares. */
const maxPosts = 50_000;
const maxExcerptLength = 200;

export const startTrial = later('background', [ruleTrialStarted], {
  name: 'status.start_rule_trial',
  run: (app, { trialId }) => compareBatch(app, trialId),
});

/** Compares the next batch of posts, and queues the one after it. Idempotent: the trial stores how far it came. */
export const continueTrial = defineJob(
  'status.continue_rule_trial',
  Type.Object({ trialId: idSchema<'moderation-rule-trial'>() }),
  (app, { trialId }) => compareBatch(app, trialId),
  'background',
);

async function compareBatch(app: App, trialId: ModerationRuleTrialId): Promise<void> {
  const trial = await findTrial(app, trialId);
  if (trial === undefined || trial.finished_at !== null) return;
  const { conditions, origin } = trial;
  const rules = compileRules([
    { id: trial.rule_id, title: '', subject: 'post', origin, conditions, actions: [], score: 1 },
  ]);
  if (rules === undefined) return;
  const posts = await pastPosts(app, {
    below: trial.below_id,
    above: idFromDate<'status'>(trial.since),
    local: origin === 'any' ? null : origin === 'local',
    limit: batchSize,
  });
  const matched: TrialSample[] = [];
  for (const post of posts) if (await matches(app, rules, post)) matched.push(toSample(post));
  const last = posts.at(-1);
  const isLast = last === undefined || posts.length < batchSize || trial.examined + posts.length >= maxPosts;
  await transaction(app, async (tx) => {
    const batch = { examined: posts.length, matched, belowId: last?.id ?? trial.below_id, isLast };
    if ((await storeTrialProgress(tx, app, trial, batch)) && !isLast) tx.enqueue(continueTrial({ trialId }));
  });
}

interface PastPost {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly domain: string | null;
  readonly local: boolean;
  readonly content: string;
  readonly spoiler_text: string;
  readonly language: string | null;
  readonly in_reply_to_account_id: AccountId | null;
  readonly created_at: Date;
  readonly texts: string[];
  readonly hashes: string[];
  readonly mentioned_ids: AccountId[];
}

async function matches(app: App, rules: CompiledRules, post: PastPost): Promise<boolean> {
  const { id, account_id: accountId, created_at: createdAt } = post;
  const found = await matchRules(
    rules,
    {
      subject: 'post',
      local: post.local,
      accountId,
      domain: post.domain,
      language: post.language,
      texts: async () => [post.spoiler_text, htmlToText(post.content), ...post.texts],
      links: () => listLinks(post.content),
      mediaHashes: async () => post.hashes,
      countStrangers: () => countStrangers(app, post),
      countSince: async (since, max) =>
        (await postsBetween(app, { accountId, above: idFromDate<'status'>(since), below: id, max })).length,
    },
    createdAt,
  );
  return found.length > 0;
}

/** As of today: who followed the author at that time is unknown. */
async function countStrangers(app: App, post: PastPost): Promise<number> {
  const { account_id: accountId, in_reply_to_account_id: answeredId } = post;
  const ids = post.mentioned_ids.filter((id) => id !== accountId && id !== answeredId);
  const followers = (await loadFollowersAmong(app, ids, [accountId])).get(accountId);
  return ids.filter((id) => followers?.has(id) !== true).length;
}

const toSample = ({ id, account_id, spoiler_text, content }: PastPost): TrialSample => ({
  status_id: id,
  account_id,
  excerpt: truncateText(`${spoiler_text}\n${htmlToText(content)}`.trim(), maxExcerptLength),
});

const pastPosts = preparedQuery<PastPost>()(
  (db, args: { below: StatusId; above: StatusId; local: boolean | null; limit: number }) =>
    db
      .selectFrom('statuses as s')
      .innerJoin('accounts as author', 'author.id', 's.account_id')
      .select([
        's.id',
        's.account_id',
        'author.domain',
        's.local',
        's.content',
        's.spoiler_text',
        's.language',
        's.in_reply_to_account_id',
        's.created_at',
        sql<string[]>`coalesce((select options from polls where polls.id = s.poll_id), '{}')
          || array(select description from media_attachments where id = any(s.media_ids) and description is not null)
          || array(select '#' || tags.name from status_tags join tags on tags.id = status_tags.tag_id
            where status_tags.status_id = s.id)`.as('texts'),
        sql<
          string[]
        >`array(select blurhash from media_attachments where id = any(s.media_ids) and blurhash is not null)`.as(
          'hashes',
        ),
        sql<AccountId[]>`array(select account_id from mentions where status_id = s.id)`.as('mentioned_ids'),
      ])
      .where('s.id', '<', args.below)
      .where('s.id', '>', args.above)
      .where('s.reblog_of_id', 'is', null)
      .where('s.deleted_at', 'is', null)
      .where(sql<boolean>`(${args.local}::boolean is null or s.local = ${args.local}::boolean)`)
      .where(sql<boolean>`not (s.local and ${isExemptFromRulesSql(sql`s.account_id`)})`)
      .orderBy('s.id', 'desc')
      .limit(sql<number>`${args.limit}`),
);

const postsBetween = preparedQuery<{ id: StatusId }>()(
  (db, args: { accountId: AccountId; above: StatusId; below: StatusId; max: number }) =>
    db
      .selectFrom('statuses')
      .select('id')
      .where('account_id', '=', args.accountId)
      .where('id', '>', args.above)
      .where('id', '<', args.below)
      .where('reblog_of_id', 'is', null)
      .where('deleted_at', 'is', null)
      .limit(sql<number>`${args.max}`),
);
