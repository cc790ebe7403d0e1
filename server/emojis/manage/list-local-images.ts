import type { App } from '../../platform/app.ts';

/** The image of a local emoji. */
export interface EmojiImage {
  readonly shortcode: string;
  readonly category: string | null;
  /** Its key in the storage. */
  readonly imageKey: string;
}

/** Returns the images of local emojis, also of disabled ones, by shortcode. `category`: only those of this one; empty: of none. */
export async function listLocalImages({ db }: App, category?: string): Promise<EmojiImage[]> {
  const rows = await db
    .selectFrom('custom_emojis')
    .select(['shortcode', 'category', 'image_key'])
    .where('domain', 'is', null)
    .$if(category !== undefined, (query) =>
      query.where('category', 'is not distinct from', category === '' ? null : (category ?? null)),
    )
    .orderBy('shortcode')
    .execute();
  return rows.flatMap(({ shortcode, category: own, image_key: imageKey }) =>
    imageKey === null ? [] : [{ shortcode, category: own, imageKey }],
  );
}
