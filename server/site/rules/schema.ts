import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

export const Rule = entity('Rule', {
  id: Type.String(),
  text: Type.String(),
  hint: Type.String(),
  translations: Type.Record(Type.String(), Type.Object({ text: Type.String(), hint: Type.String() })),
});
export type Rule = Static<typeof Rule>;

/** A rule as staff manage it. */
export const AdminRule = entity('Fieldfare::Admin::Rule', {
  ...Rule.properties,
  position: Type.Integer({ description: 'Rules are listed by position, then by age' }),
});
export type AdminRule = Static<typeof AdminRule>;
