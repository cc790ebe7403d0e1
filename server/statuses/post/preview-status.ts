import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { buildCachedEmojis, presentEmojisFor } from '../../emojis/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import type { ContentType } from '../../text/format/index.ts';
import { normalizeTag } from '../../text/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import { presentMentions, presentTags } from '../read/present-names.ts';
import type { StatusPreview } from '../schema.ts';
import { formatStatusText } from './format-status-text.ts';
import { parseStatusText } from './status-text.ts';

/** The texts of a status that is being written. */
export interface PreviewParams {
  readonly text?: string | undefined;
  readonly spoilerText?: string | undefined;
  /** The author's default if missing. */
  readonly contentType?: ContentType | undefined;
}

/**
 * Returns how `postStatus` would show a text, without storing anything. Handles of unknown remote accounts stay text: they
 * are looked up only once a status is posted, so that a preview sends no requests to other servers. A blank text is no
 * error, because a status may have only files. Throws 422 if the texts are too long.
 */
export async function previewStatus(app: App, accountId: AccountId, params: PreviewParams): Promise<StatusPreview> {
  const { text, spoilerText } = parseStatusText(params, { allowBlank: true });
  const contentType = params.contentType ?? (await loadUserSettings(app, accountId)).default_content_type;
  const [{ content, mentionedIds, tagNames }, { blocking }] = await Promise.all([
    formatStatusText(app, text, contentType),
    loadAccountRelations(app, accountId),
  ]);
  const [accounts, [emojis = []]] = await Promise.all([
    loadCachedAccounts(app, mentionedIds),
    buildCachedEmojis(app, [{ domain: null, texts: [spoilerText, content] }]),
  ]);
  const mentioned = mentionedIds.filter((id) => !blocking.has(id));
  return {
    content,
    spoiler_text: spoilerText,
    mentions: presentMentions(accounts, mentioned),
    tags: presentTags(app, [...new Set(tagNames.map(normalizeTag))]),
    emojis: presentEmojisFor(mediaViewerOf({ accountId }), emojis),
  };
}
