import { loadRules, recordRefusal, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { htmlToText } from '../../text/index.ts';
import type { NewStatus } from '../post/insert-status.ts';
import type { RemoteStatus } from '../remote/remote-status.ts';
import { screenPost } from './screen-post.ts';

/**
 * Compares a remote post, or an edit of one, with the moderation rules. Returns undefined if none takes an action, and
 * `refused` if one refuses it, which is recorded for staff.
 */
export async function screenRemotePost(
  app: App,
  { attachments = [], poll, tags = [], article }: RemoteStatus,
  buildStatus: () => NewStatus,
  { isEdit = false }: { readonly isEdit?: boolean } = {},
): Promise<Verdict | 'refused' | undefined> {
  // Building the status may take long, so it is left out without rules.
  if ((await loadRules(app, 'post', false)) === undefined) return undefined;
  const status = buildStatus();
  const verdict = await screenPost(app, {
    status,
    otherTexts: [
      ...(article === undefined ? [] : [htmlToText(article.content)]),
      ...tags.map((tag) => `#${tag.replace(/^#/, '')}`),
      ...(poll?.options.map(({ title }) => title) ?? []),
    ],
    articleHtml: article?.content,
    loadMedia: async () => attachments.map(({ description = null, blurhash = null }) => ({ description, blurhash })),
    unknownMentions: 0,
    isEdit,
  });
  const isRefused = verdict?.actions.has('reject') === true || (isEdit && verdict?.actions.has('hold') === true);
  if (!isRefused || verdict === undefined)
    return verdict && { ...verdict, marksSensitive: verdict.actions.has('sensitive') && !status.sensitive };
  await recordRefusal(app, verdict, {
    type: 'status',
    accountId: status.accountId,
    uri: status.uri,
    text: `${status.spoilerText}\n${htmlToText(status.content)}`,
  });
  return 'refused';
}
