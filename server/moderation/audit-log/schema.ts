import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

const details = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description });

/** What a staff member changed. */
export const AuditEntry = entity('Fieldfare::AuditEntry', {
  id: idSchema<'row'>(),
  created_at: Type.String({ format: 'date-time' }),
  staff: Type.Union(
    [Type.Object({ id: Type.Union([idSchema<'account'>(), Type.Null()]), username: Type.String() }), Type.Null()],
    { description: 'Null for the command line. The id is null after the account was deleted' },
  ),
  action: Type.String({ description: 'Kind of target and verb, such as domain_block.create' }),
  target: Type.Object({
    type: Type.String(),
    id: Type.Union([Type.String(), Type.Null()]),
    label: Type.String({ description: 'What people call the target, such as name@domain' }),
  }),
  before: details('The properties that changed, before. Null if the target is new, or the account was deleted since'),
  after: details('The same properties after. Null if the target was deleted, or the account was deleted since'),
});
export type AuditEntry = Static<typeof AuditEntry>;
