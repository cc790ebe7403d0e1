import funnel from '@phosphor-icons/core/regular/funnel-simple.svg?raw';
import { signal } from '@preact/signals';
import type { MatchedFilter, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';

/** Rows whose filtered post the reader wants to see. */
const opened = signal<ReadonlySet<string>>(new Set());

/** Whether the reader opened the filtered post of a row. */
export const isFilterOpen = (rowId: string): boolean => opened.value.has(rowId);

interface FilteredStatusProps {
  readonly status: Status;
  readonly rowId: string;
  readonly filters: readonly MatchedFilter[];
}

/** Stands for a post that filters warn of, with their names. */
export function FilteredStatus({ status, rowId, filters }: FilteredStatusProps) {
  const titles = filters.map(({ title }) => title).join(', ');
  return (
    <article
      class="status filtered-status"
      aria-label={t('status.filtered', { titles })}
      data-row={rowId}
      data-status={status.id}
      tabIndex={-1}
    >
      <Icon svg={funnel} />
      <span dir="auto">{t('status.filtered', { titles })}</span>
      <button
        type="button"
        class="button quiet"
        data-key="x"
        onClick={() => (opened.value = new Set([...opened.peek(), rowId]))}
      >
        {t('status.showAnyway')}
      </button>
    </article>
  );
}
