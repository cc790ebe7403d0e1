import { sql } from 'kysely';
import { loadRules, recordRefusal, screen, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { idFromDate, type UserId } from '../../platform/ids.ts';

/** A sign-up that moderation rules look at. */
export interface ScreenedSignUp {
  readonly username: string;
  readonly email: string;
  readonly displayName?: string | undefined;
  readonly reason?: string | null | undefined;
  readonly locale?: string | undefined;
  readonly ip?: string | undefined;
}

/**
 * Compares a sign-up with the moderation rules. Returns undefined if none takes an action. Throws 422 if one refuses it.
 */
export async function screenSignUp(app: App, signUp: ScreenedSignUp): Promise<Verdict | undefined> {
  const rules = await loadRules(app, 'sign_up', true);
  if (rules === undefined) return undefined;
  const { username, email, displayName = '', reason, locale, ip } = signUp;
  const verdict = await screen(app, rules, {
    subject: 'sign_up',
    local: true,
    accountId: undefined,
    domain: email.slice(email.lastIndexOf('@') + 1).toLowerCase(),
    language: locale ?? null,
    texts: async () => [username, displayName, reason ?? '', email],
    countSince: async (since, max) =>
      ip === undefined ? 0 : (await earlierSignUps(app, { ip, after: idFromDate<'user'>(since), max })).length,
  });
  if (verdict?.actions.has('reject') !== true) return verdict;
  await recordRefusal(app, verdict, { type: 'user', accountId: null, text: signUpText(signUp) });
  throw validationFailed('moderationRules.signUpRefused');
}

/** Returns what staff see of a sign-up that matched. */
export const signUpText = ({ username, reason }: ScreenedSignUp): string => `@${username}\n${reason ?? ''}`;

const earlierSignUps = preparedQuery<{ id: UserId }>()((db, args: { ip: string; after: UserId; max: number }) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '>', args.after)
    .where(sql<boolean>`sign_up_ip = ${args.ip}::inet`)
    .limit(sql<number>`${args.max}`),
);
