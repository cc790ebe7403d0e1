import { sql } from 'kysely';
import type { AccountRow } from '../../accounts/find/index.ts';
import { loadRules, recordRefusal, screen, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import { idFromDate, type AccountId, type RowId } from '../../platform/ids.ts';
import { htmlToText } from '../../text/index.ts';
import { isExemptFromRules } from '../../users/roles/index.ts';
import { isFollowing } from '../rules/relations.ts';

/**
 * Compares a new follow with the moderation rules, by the name and the bio of the follower. Returns undefined if none
 * takes an action, and for staff who are exempt. Throws 403 if one refuses it. `uri`: of a remote Follow activity.
 */
export async function screenFollow(
  app: App,
  account: AccountRow,
  targetId: AccountId,
  uri: string | undefined,
): Promise<Verdict | undefined> {
  const rules = await loadRules(app, 'follow', account.domain === null);
  if (rules === undefined || (await isFollowing(app, account.id, targetId))) return undefined;
  const { id: accountId, domain, username, display_name: displayName, note } = account;
  const verdict = await screen(app, rules, {
    subject: 'follow',
    local: domain === null,
    accountId,
    domain,
    language: null,
    texts: async () => [username, displayName, htmlToText(note)],
    countSince: async (since, max) =>
      (await earlierFollows(app, { accountId, after: idFromDate<'row'>(since), max })).length,
  });
  // Only now, so that most follows cost no query.
  if (verdict === undefined || (domain === null && (await isExemptFromRules(app, accountId)))) return undefined;
  if (!verdict.actions.has('reject')) return verdict;
  await recordRefusal(app, verdict, { type: 'follow', accountId, uri, text: followText(account) });
  throw forbidden('moderationRules.followRefused');
}

/** Returns what staff see of a follow that matched. */
export const followText = ({ username, domain, note }: AccountRow): string =>
  `@${username}${domain === null ? '' : `@${domain}`}\n${htmlToText(note)}`;

const earlierFollows = preparedQuery<{ id: RowId }>()((db, args: { accountId: AccountId; after: RowId; max: number }) =>
  db
    .selectFrom('follows')
    .select('id')
    .where('account_id', '=', args.accountId)
    .where('id', '>', args.after)
    .unionAll(
      db
        .selectFrom('follow_requests')
        .select('id')
        .where('account_id', '=', args.accountId)
        .where('id', '>', args.after),
    )
    .limit(sql<number>`${args.max}`),
);
