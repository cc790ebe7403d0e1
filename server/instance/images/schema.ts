import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** An image of the site as staff manage it. */
export const SiteImage = entity('Fieldfare::Admin::SiteImage', {
  name: Type.Enum(['thumbnail', 'icon']),
  bundled: Type.Boolean({ description: 'Whether it is the image that comes with Fieldfare' }),
  description: Type.Union([Type.String(), Type.Null()], { description: 'Alternative text' }),
  versions: Type.Record(Type.String(), Type.String(), { description: 'URLs by size or pixel density' }),
});
export type SiteImage = Static<typeof SiteImage>;
