import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** A text of the site as it would be stored and shown. */
export const SiteTextPreview = entity('Fieldfare::Admin::SiteTextPreview', {
  content: Type.String({ description: 'Safe HTML' }),
});
export type SiteTextPreview = Static<typeof SiteTextPreview>;
