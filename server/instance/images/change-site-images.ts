import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { notFound, invalidField } from '../../platform/http/http-errors.ts';
import { deleteStoredFiles } from '../../media/index.ts';
import { processSiteImage } from '../../media/upload/index.ts';
import { siteSettingsChanged } from '../../site/index.ts';
import { cleanText } from '../../text/index.ts';
import type { SiteImageName } from '../tables.ts';

/** Characters, as those of an avatar. */
const maxDescriptionLength = 150;

/**
 * Replaces an image of the site by a local file, which is copied. Throws 422 if the file cannot be used, or the description
 * is too long.
 */
export async function setSiteImage(
  app: App,
  name: SiteImageName,
  { path, description: text = '' }: { readonly path: string; readonly description?: string | undefined },
): Promise<void> {
  const description = cleanText(text).trim();
  if (description.length > maxDescriptionLength)
    throw invalidField('description', 'problems.tooLong', { max: maxDescriptionLength });
  const { keys, blurhash } = await processSiteImage(app, path, name);
  try {
    await deleteStoredFiles(app, await storeImage(app, name, { keys, blurhash, description }));
  } catch (error) {
    await deleteStoredFiles(app, Object.values(keys));
    throw error;
  }
}

/** Stores the image and returns the keys of the one before. */
function storeImage(
  app: App,
  name: SiteImageName,
  image: { readonly keys: Readonly<Record<string, string>>; readonly blurhash: string; readonly description: string },
): Promise<string[]> {
  const { keys, ...rest } = image;
  const values = { files: JSON.stringify(keys), ...rest, updated_at: app.clock.now() };
  return transaction(app, async ({ db, emit }) => {
    const before = await db
      .selectFrom('site_images')
      .select('files')
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst();
    await db
      .insertInto('site_images')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute();
    emit(siteSettingsChanged({ names: [name], staffId: null }));
    return Object.values(before?.files ?? {});
  });
}

/** Restores the bundled image of the site. Throws 404 if the image was not replaced. */
export async function resetSiteImage(app: App, name: SiteImageName): Promise<void> {
  const { files } = await transaction(app, async ({ db, emit }) => {
    const row = await db.deleteFrom('site_images').where('name', '=', name).returning('files').executeTakeFirst();
    if (row === undefined) throw notFound();
    emit(siteSettingsChanged({ names: [name], staffId: null }));
    return row;
  });
  await deleteStoredFiles(app, Object.values(files));
}
