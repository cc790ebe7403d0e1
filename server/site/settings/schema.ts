import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

const value = Type.Union([Type.Boolean(), Type.Integer(), Type.Array(Type.String()), Type.String()]);

/** A setting of the site. */
export const Setting = entity('Fieldfare::Admin::Setting', {
  name: Type.String(),
  type: Type.Enum(['text', 'html', 'css', 'choice', 'boolean', 'list', 'number'], {
    description: 'html is sanitized. list: texts in their order',
  }),
  choices: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'The values of a choice' }),
  max_length: Type.Union([Type.Integer(), Type.Null()], { description: 'Characters of a text, items of a list' }),
  max: Type.Union([Type.Integer(), Type.Null()], { description: 'Largest value of a number; the smallest is 0' }),
  default: value,
  value,
});
export type Setting = Static<typeof Setting>;
