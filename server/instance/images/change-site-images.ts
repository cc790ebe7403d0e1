import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound, invalidField } from '../../platform/http/http-errors.ts';
import { deleteStoredFiles } from '../../media/index.ts';
import { processSiteImage } from '../../media/upload/index.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { siteSettingsChanged, staffAccountId, type Staff } from '../../site/index.ts';
import { cleanText } from '../../text/index.ts';
import { writable, type SiteImageName } from '../tables.ts';

/** Characters, as those of an avatar. */
const maxDescriptionLength = 150;

/**
 * Replaces an image of the site by a local file, which is copied. Throws 422 if the file cannot be used, or the description
 * is too long.
 */
export async function setSiteImage(
  app: App,
  staff: Staff,
  name: SiteImageName,
  { path, description: text = '' }: { readonly path: string; readonly description?: string | undefined },
): Promise<void> {
  const description = cleanText(text).trim();
  if (description.length > maxDescriptionLength)
    throw invalidField('description', 'problems.tooLong', { max: maxDescriptionLength });
  const { keys, blurhash } = await processSiteImage(app, path, name);
  try {
    await storeImage(app, staff, name, { keys, blurhash, description });
  } catch (error) {
    await deleteStoredFiles(app, Object.values(keys));
    throw error;
  }
}

function storeImage(
  app: App,
  staff: Staff,
  name: SiteImageName,
  image: { readonly keys: Readonly<Record<string, string>>; readonly blurhash: string; readonly description: string },
): Promise<void> {
  const { keys, ...rest } = image;
  const values = { files: JSON.stringify(keys), ...rest, updated_at: app.clock.now() };
  return transaction(app, async (tx) => {
    const { db, emit } = tx;
    const before = await db
      .selectFrom('site_images')
      .select(['files', 'description'])
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst();
    await writable(db)
      .insertInto('site_images')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute();
    if (before !== undefined) await keepReplacedFiles(tx, app, before.files);
    emit(siteSettingsChanged({ names: [name], staffId: staffAccountId(staff) }));
    recordStaffAction(tx, staff, {
      target: 'site_image',
      verb: 'replace',
      label: name,
      before: before && { description: before.description },
      after: { description: image.description },
    });
  });
}

/** Restores the bundled image of the site. Throws 404 if the image was not replaced. */
export function resetSiteImage(app: App, staff: Staff, name: SiteImageName): Promise<void> {
  return transaction(app, async (tx) => {
    const { db, emit } = tx;
    const row = await writable(db)
      .deleteFrom('site_images')
      .where('name', '=', name)
      .returning(['files', 'description'])
      .executeTakeFirstOrThrow(() => notFound());
    await keepReplacedFiles(tx, app, row.files);
    emit(siteSettingsChanged({ names: [name], staffId: staffAccountId(staff) }));
    recordStaffAction(tx, staff, {
      target: 'site_image',
      verb: 'reset',
      label: name,
      before: { description: row.description },
    });
  });
}

/** Records files that are no longer in use, so that `cleanUpSiteImages` deletes them later. */
async function keepReplacedFiles(
  { db }: Transaction,
  app: App,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const replacedAt = app.clock.now();
  await writable(db)
    .insertInto('replaced_site_images')
    .values(Object.values(files).map((key) => ({ key, replaced_at: replacedAt })))
    .execute();
}
