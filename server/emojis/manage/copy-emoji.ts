import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { withWorkFolder } from '../../media/decoding/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { HttpError, validationFailed } from '../../platform/http/http-errors.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { OutgoingError } from '../../platform/outgoing/outgoing.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import type { EmojiRow } from '../find-emojis.ts';
import { addEmoji, assertShortcodeFree } from './change-emojis.ts';
import { emojiLabel, lockEmoji } from './lock-emoji.ts';
import { assertShortcode, parseCategory } from './parse-emoji.ts';
import type { EmojiId } from '../tables.ts';

const maxImageBytes = 262_144;

/** Stores the image of a remote emoji as a local emoji. Gives up if the image cannot be fetched or used. */
export const copyRemoteEmoji = defineJob(
  'emoji.copy_remote',
  Type.Object({
    emojiId: idSchema<'emoji'>(),
    /** The staff member; null for the command line. */
    staffId: Type.Union([idSchema<'account'>(), Type.Null()]),
    category: Type.Union([Type.String(), Type.Null()]),
  }),
  async (app, { emojiId, staffId, category }) => {
    const emoji = await app.db
      .selectFrom('custom_emojis')
      .select(['shortcode', 'remote_url'])
      .where('id', '=', emojiId)
      .executeTakeFirst();
    if (emoji === undefined || emoji.remote_url === null) return;
    const { shortcode, remote_url: url } = emoji;
    try {
      const { status, body } = await app.outgoing.request(url, { maxBytes: maxImageBytes });
      if (status !== 200) return app.log.info({ status, url }, 'the image of a remote emoji was not found');
      await withWorkFolder(app, async (folder) => {
        const path = join(folder, 'image');
        await writeFile(path, body);
        await addEmoji(app, staffId ?? 'system', { shortcode, path, category: category ?? '' });
      });
    } catch (error) {
      if (!(error instanceof OutgoingError || error instanceof HttpError)) throw error;
      app.log.info({ url, reason: error.message }, 'a remote emoji was not copied');
    }
  },
  'remote',
);

/**
 * Copies a remote emoji to a local one with the same shortcode, by a job, because another host sends the image. Throws 404
 * if it does not exist, 422 if it is local or its shortcode too long, 409 if there is a local emoji with this shortcode.
 */
export async function copyEmoji(
  app: App,
  staff: Staff,
  { id, category = '' }: { readonly id: EmojiId; readonly category?: string | undefined },
): Promise<void> {
  const parsed = parseCategory(category);
  await transaction(app, async (tx) => {
    const emoji = await lockEmoji(tx, { id });
    if (emoji.domain === null) throw validationFailed('emojis.notRemote');
    assertShortcode(emoji.shortcode);
    await assertShortcodeFree(tx, emoji.shortcode);
    enqueueCopy(tx, staff, { emoji, category: parsed });
  });
}

/** Queues the job that copies a remote emoji, and records it. The caller checked that it can be copied. */
export function enqueueCopy(
  tx: Transaction,
  staff: Staff,
  { emoji, category }: { readonly emoji: EmojiRow; readonly category: string | null },
): void {
  const { id, domain } = emoji;
  const options = { key: `emoji ${id}`, isUnique: true, ...(domain !== null && { host: domain }) };
  tx.enqueue(copyRemoteEmoji({ emojiId: id, staffId: staffAccountId(staff), category }, options));
  recordStaffAction(tx, staff, {
    target: 'custom_emoji',
    verb: 'copy',
    id,
    label: emojiLabel(emoji),
    before: { copied: false },
    after: { copied: true, category },
  });
}
