import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

const time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);
const limits = Type.Object({
  severity: Type.Union([Type.Literal('noop'), Type.Literal('silence'), Type.Literal('suspend')]),
  reject_media: Type.Boolean(),
  reject_reports: Type.Boolean(),
});

/** A list of domain blocks that others maintain. */
export const DomainList = entity('Fieldfare::DomainList', {
  id: idSchema<'domain-list'>(),
  url: Type.String(),
  automatic: Type.Boolean({ description: 'Whether changes of the list are applied without staff' }),
  created_at: Type.String({ format: 'date-time' }),
  fetched_at: time,
  next_fetch_at: Type.String({ format: 'date-time' }),
  last_error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last version could not be fetched, was not applied, or lacks lines',
  }),
});
export type DomainList = Static<typeof DomainList>;

/** What the list would change. */
export const DomainListChange = entity('Fieldfare::DomainListChange', {
  domain: Type.String(),
  change: Type.Union(
    [
      Type.Literal('create'),
      Type.Literal('update'),
      Type.Literal('remove'),
      Type.Literal('keep'),
      Type.Literal('except'),
    ],
    { description: 'keep: staff decided otherwise, so that nothing is changed; except: an exception of staff' },
  ),
  listed: Type.Union([limits, Type.Null()], { description: 'Null: no longer in the list' }),
  existing: Type.Union([limits, Type.Null()]),
});
export type DomainListChange = Static<typeof DomainListChange>;
