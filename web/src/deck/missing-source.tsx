import { t } from '../i18n/translate.tsx';
import type { Column } from '../session/settings.ts';
import { EmptyState } from '../ui/states.tsx';
import { removeColumn } from './column-actions.ts';

/** Says that what a column showed is gone: a list, a folder or an account that was deleted. */
export const MissingSource = ({ column }: { readonly column: Column }) => (
  <EmptyState title={t('tabs.missing')}>
    <p>{t('tabs.missingHint')}</p>
    <button type="button" class="button" onClick={() => removeColumn(column)}>
      {t('tabs.remove')}
    </button>
  </EmptyState>
);
