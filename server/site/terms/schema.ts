import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

const day = Type.String({ format: 'date' });
const texts = {
  content: Type.String({ description: 'Safe HTML' }),
  changelog: Type.String({ description: 'What changed, as plain text; may be empty' }),
};

/** A published version of the terms of service. */
export const TermsVersion = entity('Fieldfare::Admin::TermsOfService', {
  effective_date: day,
  ...texts,
  effective: Type.Boolean({ description: 'Whether its day has come' }),
  succeeded_by: Type.Union([day, Type.Null()], { description: 'Day from which the next version applies' }),
  announced: Type.Boolean({ description: 'Whether users were notified of it by mail' }),
});
export type TermsVersion = Static<typeof TermsVersion>;

/** The version of the terms of service that staff prepare. */
export const TermsDraftEntity = entity('Fieldfare::Admin::TermsOfServiceDraft', {
  ...texts,
  effective_date: Type.Union([day, Type.Null()], { description: 'null: the day of its publication' }),
});
export type TermsDraftEntity = Static<typeof TermsDraftEntity>;
