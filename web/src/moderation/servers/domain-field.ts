import { t } from '../../i18n/translate.tsx';
import type { FieldSpec } from '../form/fields.ts';

/** The field of the domain of a server. */
export const domainField = (): FieldSpec => ({
  name: 'domain',
  label: t('servers.domain'),
  kind: 'text',
  isRequired: true,
});
