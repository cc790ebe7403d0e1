import type { Selectable } from 'kysely';
import { loadCachedAccounts, presentAccount } from '../../accounts/present/index.ts';
import { buildCachedEmojis, type CachedEmoji } from '../../emojis/index.ts';
import { loadMediaViewer, type MediaViewer } from '../../media/proxy/index.ts';
import type { CachedAttachment } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { joinJsonList, JsonText } from '../../platform/http/http-response.ts';
import { JsonTemplate } from '../../platform/http/json-template.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, MediaId, StatusId } from '../../platform/ids.ts';
import { truncateText, limitHtml } from '../../text/index.ts';
import { loadStatusRows } from '../read/status-rows.ts';
import { loadAttachments } from '../read/load-attachments.ts';
import type { StatusEdit } from '../schema.ts';
import { presentStatus, type Viewer } from '../read/present-statuses.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { maxRemoteSpoilerLength } from '../remote/remote-limits.ts';
import type { StatusTables } from '../tables.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

type OmittedColumn = 'id' | 'status_id' | 'text' | 'content_type' | 'media_descriptions';
type Version = Omit<Selectable<StatusTables['status_edits']>, OmittedColumn> & {
  /** Undefined: the current descriptions. */
  readonly media_descriptions: readonly string[] | undefined;
};

const versionRows = preparedQuery<Version>()((db, { id }: { id: StatusId }) =>
  db
    .selectFrom('status_edits')
    .select([
      'content',
      'spoiler_text',
      'sensitive',
      'media_ids',
      'media_descriptions',
      'poll_options',
      'quote_id',
      'created_at',
    ])
    .where('status_id', '=', id)
    .orderBy('id'),
);

/**
 * Returns the versions of a status, oldest first: one if it was never edited. Throws 404 if it was deleted. Checks no
 * visibility.
 */
export async function presentHistory(app: App, viewer: Viewer, id: StatusId): Promise<JsonText<StatusEdit[]>> {
  const status = (await loadCachedStatuses(app, [id])).get(id);
  if (status === undefined) throw notFound();
  const stored = await versionRows(app, { id });
  const versions = stored.length > 0 ? stored : [await loadCurrentVersion(app, id)];
  const mediaIds = [...new Set(versions.flatMap(({ media_ids }) => media_ids))];
  const [account, attachments, emojis, quote, media] = await Promise.all([
    presentAccount(app, viewer, status.accountId),
    loadAttachments(app, mediaIds, isPublicOrUnlisted(status.visibility) ? undefined : new Set(mediaIds)),
    loadEmojis(app, status.accountId, versions),
    status.quote === null ? undefined : renderCurrentQuote(app, viewer, id),
    loadMediaViewer(app, viewer?.accountId),
  ]);
  return joinJsonList(
    versions.map((version, index) => {
      const fields = {
        ...buildVersionFields(version, attachments),
        sensitive: version.sensitive || (status.isAuthorSensitized && viewer?.accountId !== status.accountId),
        emojis: emojis[index] ?? [],
      };
      const json: string[] = [];
      JsonTemplate.open<MediaViewer>(fields).renderInto(json, media);
      json.push(',"account":', ...account.fragments);
      if (version.quote_id !== null && version.quote_id === status.quote?.id) json.push(`,"quote":${quote}`);
      json.push('}');
      return new JsonText<StatusEdit>(json);
    }),
  );
}

async function loadEmojis(app: App, authorId: AccountId, versions: readonly Version[]): Promise<CachedEmoji[][]> {
  const domain = (await loadCachedAccounts(app, [authorId])).get(authorId)?.domain ?? null;
  return buildCachedEmojis(
    app,
    versions.map(({ content, spoiler_text, poll_options }) => ({
      domain,
      texts: [spoiler_text, content, ...(poll_options ?? [])],
    })),
  );
}

/** Renders the current quote of a status as the viewer sees it. */
async function renderCurrentQuote(app: App, viewer: Viewer, id: StatusId): Promise<string> {
  return JSON.stringify((await presentStatus(app, viewer, id)).parse().quote);
}

async function loadCurrentVersion(app: App, id: StatusId): Promise<Version> {
  const [row] = await loadStatusRows(app, { ids: [id] });
  if (row === undefined) throw notFound();
  const { poll } = (await loadCachedStatuses(app, [id])).get(id) ?? { poll: null };
  return { ...row, media_descriptions: undefined, poll_options: poll?.options ?? null };
}

function buildVersionFields(version: Version, attachments: ReadonlyMap<MediaId, CachedAttachment>) {
  return {
    content: limitHtml(version.content),
    spoiler_text: truncateText(version.spoiler_text, maxRemoteSpoilerLength),
    created_at: version.created_at.toISOString(),
    media_attachments: version.media_ids.flatMap((id, index) => {
      const attachment = attachments.get(id);
      if (attachment === undefined) return [];
      const description = version.media_descriptions?.[index];
      return [description === undefined ? attachment : { ...attachment, description: description || null }];
    }),
    ...(version.poll_options !== null && { poll: { options: version.poll_options.map((title) => ({ title })) } }),
  };
}
