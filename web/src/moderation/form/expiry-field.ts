import { t } from '../../i18n/translate.tsx';
import type { FieldSpec } from './fields.ts';

/** A choice of how many seconds something is valid; empty: without end. */
export const expiryField = (): FieldSpec => ({
  name: 'expires_in',
  label: t('servers.expires'),
  kind: 'choice',
  options: [
    { value: '', label: t('servers.never') },
    { value: '86400', label: t('servers.day') },
    { value: '1209600', label: t('servers.twoWeeks') },
    { value: '15552000', label: t('servers.halfYear') },
    { value: '31536000', label: t('servers.year') },
  ],
});
