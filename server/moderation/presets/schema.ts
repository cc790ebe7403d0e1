import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** A text that staff reuse in decisions. */
export const WarningPreset = entity('Fieldfare::Admin::WarningPreset', {
  id: idSchema<'warning-preset'>(),
  title: Type.String(),
  text: Type.String(),
});
export type WarningPreset = Static<typeof WarningPreset>;
