import funnel from '@phosphor-icons/core/regular/funnel.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect, useId } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { CountBadge } from '../../unread/index.ts';
import { activeFilters, readFilters, toQueryString, type Filter, type FilterValues } from './filter-values.ts';
import './filters.css';

/** The values of the filters of a list. */
export interface Filters {
  readonly values: FilterValues;
  readonly defaults: FilterValues;
  readonly change: (changes: FilterValues) => void;
}

/** Returns the values of filters. They are kept in the address, so that Back, links and a bookmark restore them. */
export function useFilters(defaults: FilterValues): Filters {
  const { url } = useLocation();
  const values = useSignal<FilterValues>(readFilters(location.search, defaults));
  useEffect(() => {
    values.value = readFilters(location.search, defaults);
  }, [url]);
  const change = (changes: FilterValues): void => {
    values.value = { ...values.value, ...changes };
    history.replaceState(history.state, '', location.pathname + toQueryString(values.value, defaults));
  };
  return { values: values.value, defaults, change };
}

interface FilterBarProps {
  readonly label: string;
  readonly filters: readonly Filter[];
  readonly of: Filters;
}

/** The filters of a list: a button that opens them, and those that are set, each with a button that removes it. */
export function FilterBar({ label, filters, of }: FilterBarProps) {
  const active = activeFilters(filters, of.values, of.defaults);
  const count = active.length;
  const isOpen = useSignal(false);
  const panelId = useId();
  const reset = (form: HTMLFormElement | null, names: readonly string[]): void => {
    // Its chip is gone then.
    form?.querySelector('button')?.focus();
    of.change(Object.fromEntries(names.map((name) => [name, of.defaults[name] ?? ''])));
  };
  return (
    <form class="list-filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      <button
        type="button"
        class="button quiet"
        aria-expanded={isOpen.value}
        aria-controls={panelId}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon svg={funnel} />
        <span>
          {t('filterBar.open')} {count > 0 && <span class="visually-hidden">{t('filterBar.active', { count })}</span>}
        </span>
        <CountBadge count={count} title={t('filterBar.active', { count })} />
      </button>
      {active.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          class="filter-chip"
          aria-label={t('filterBar.remove', { filter: text })}
          onClick={(event) => reset(event.currentTarget.form, [name])}
        >
          <bdi>{text}</bdi>
          <Icon svg={x} />
        </button>
      ))}
      {count > 1 && (
        <button
          type="button"
          class="link"
          onClick={(event) =>
            reset(
              event.currentTarget.form,
              active.map(({ name }) => name),
            )
          }
        >
          {t('filterBar.removeAll')}
        </button>
      )}
      <div id={panelId} class="filters" hidden={!isOpen.value}>
        {isOpen.value && <FilterFields filters={filters} of={of} />}
      </div>
    </form>
  );
}

/** Choices apply at once, texts on Enter or when they are left. */
function FilterFields({ filters, of: { values, change } }: Omit<FilterBarProps, 'label'>) {
  return (
    <>
      {filters.map(({ name, label, options }) => (
        <label key={name}>
          <span class="small soft">{label}</span>
          {options === undefined ? (
            <input
              type="text"
              dir="auto"
              value={values[name] ?? ''}
              onChange={(event) => change({ [name]: event.currentTarget.value.trim() })}
            />
          ) : (
            <select value={values[name] ?? ''} onChange={(event) => change({ [name]: event.currentTarget.value })}>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          )}
        </label>
      ))}
    </>
  );
}
