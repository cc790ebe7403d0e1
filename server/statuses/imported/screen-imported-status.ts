import { recordMatches, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { cleanText, htmlToText, sanitizeHtml } from '../../text/index.ts';
import { isExemptFromRules } from '../../users/roles/index.ts';
import { loadOwnMedia } from '../screening/screen-local-post.ts';
import { screenPost } from '../screening/screen-post.ts';
import type { ImportedStatus } from './insert-imported-statuses.ts';

/** A status that moderation rules do not let in. */
export interface RefusedImport {
  readonly post: Pick<ImportedStatus, 'url' | 'html' | 'spoilerText'>;
  readonly verdict: Verdict;
}

/**
 * Compares a status with the moderation rules before it is imported. Returns undefined if none takes an action, and for
 * authors who decide about held posts. Rates do not apply: the statuses of an archive arrive together.
 */
export async function screenImportedStatus(
  app: App,
  accountId: AccountId,
  { html, spoilerText, language, tags, poll, mediaIds, sensitive }: ImportedStatus,
): Promise<Verdict | undefined> {
  const verdict = await screenPost(app, {
    status: {
      accountId,
      local: true,
      content: sanitizeHtml(html),
      spoilerText: cleanText(spoilerText),
      language,
      inReplyToAccountId: null,
      mentions: [],
    },
    otherTexts: [...tags.map((tag) => `#${tag}`), ...(poll?.options.map(({ title }) => title) ?? [])],
    loadMedia: () => loadOwnMedia(app, accountId, mediaIds),
    unknownMentions: 0,
    isEdit: true,
  });
  if (verdict === undefined || (await isExemptFromRules(app, accountId))) return undefined;
  return { ...verdict, marksSensitive: verdict.actions.has('sensitive') && !sensitive && spoilerText === '' };
}

/** Whether a status is left out. One that would be held is, too: it would be published as a new one. */
export const isRefused = ({ actions }: Verdict): boolean => actions.has('reject') || actions.has('hold');

/** Stores for staff which statuses of an account rules refused. */
export async function recordRefusedImports(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  refused: readonly RefusedImport[],
): Promise<void> {
  for (const { post, verdict } of refused) {
    const text = `${post.url}\n${post.spoilerText}\n${htmlToText(sanitizeHtml(post.html))}`;
    await recordMatches(tx, app, verdict, { type: 'status', accountId, text });
  }
}
