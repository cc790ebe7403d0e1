import { Type } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

export const Rule = entity('Rule', {
  id: Type.String(),
  text: Type.String(),
  hint: Type.String(),
  translations: Type.Record(Type.String(), Type.Object({ text: Type.String(), hint: Type.String() })),
});
