import type { Selectable } from 'kysely';
import { accountBodies, presentAccount } from '../accounts/index.ts';
import { emojisIn, type CustomEmoji } from '../emojis/index.ts';
import { grantViewer, type MediaAttachment } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { JsonText } from '../platform/http/answers.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId, MediaId, StatusId } from '../platform/ids.ts';
import { cutText, shownHtml } from '../text/index.ts';
import { statusRows } from './load-statuses.ts';
import { attachmentsById } from './media-of-statuses.ts';
import type { Status, StatusEdit } from './schema.ts';
import { presentStatus, type Beholder } from './present-statuses.ts';
import { statusBodies } from './status-bodies.ts';
import { maxRemoteSpoiler } from './remote-limits.ts';
import type { StatusTables } from './tables.ts';
import { isForEverybody } from './visibility.ts';

type Unseen = 'id' | 'status_id' | 'text' | 'content_type' | 'media_descriptions';
type Version = Omit<Selectable<StatusTables['status_edits']>, Unseen> & {
  /** Undefined: as they are described now. */
  readonly media_descriptions: readonly string[] | undefined;
};

const versionRows = prepared<Version>()((db, { id }: { id: StatusId }) =>
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

/** The versions of a status, oldest first; one when it was never edited. Does not decide who may see it. */
export async function historyOf(app: App, viewer: Beholder, id: StatusId): Promise<JsonText<StatusEdit[]>> {
  const body = (await statusBodies(app, [id])).get(id);
  if (body === undefined) throw notFound();
  const stored = await versionRows(app, { id });
  const versions = stored.length > 0 ? stored : [await currentVersion(app, id)];
  const mediaIds = [...new Set(versions.flatMap(({ media_ids }) => media_ids))];
  const [account, attachments, emojis, quote] = await Promise.all([
    presentAccount(app, body.accountId),
    attachmentsById(app, mediaIds),
    emojisOf(app, body.accountId, versions),
    body.quote === null ? undefined : quoteText(app, viewer, id),
  ]);
  const texts = versions.map((version, place) => {
    const shown = JSON.stringify({ ...presentVersion(version, attachments), emojis: emojis[place] ?? [] });
    const quoted = version.quote_id === null || version.quote_id !== body.quote?.id ? '' : `,"quote":${quote}`;
    return `${shown.slice(0, -1)},"account":${account.text}${quoted}}`;
  });
  const json = `[${texts.join(',')}]`;
  return new JsonText(
    viewer === undefined || isForEverybody(body.visibility) ? json : (await grantViewer(app, viewer.accountId))(json),
  );
}

async function emojisOf(app: App, authorId: AccountId, versions: readonly Version[]): Promise<CustomEmoji[][]> {
  const domain = (await accountBodies(app, [authorId])).get(authorId)?.domain ?? null;
  return emojisIn(
    app,
    versions.map(({ content, spoiler_text, poll_options }) => ({
      domain,
      texts: [spoiler_text, content, ...(poll_options ?? [])],
    })),
  );
}

/** What a status quotes now, as the viewer sees it. */
async function quoteText(app: App, viewer: Beholder, id: StatusId): Promise<string> {
  const { text } = await presentStatus(app, viewer, id);
  return JSON.stringify((JSON.parse(text) as Status).quote);
}

async function currentVersion(app: App, id: StatusId): Promise<Version> {
  const [row] = await statusRows(app, { ids: [id] });
  if (row === undefined) throw notFound();
  const { poll } = (await statusBodies(app, [id])).get(id) ?? { poll: null };
  return { ...row, media_descriptions: undefined, poll_options: poll?.options ?? null };
}

function presentVersion(
  version: Version,
  attachments: ReadonlyMap<MediaId, MediaAttachment>,
): Omit<StatusEdit, 'account' | 'emojis' | 'quote'> {
  return {
    content: shownHtml(version.content),
    spoiler_text: cutText(version.spoiler_text, maxRemoteSpoiler),
    sensitive: version.sensitive,
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
