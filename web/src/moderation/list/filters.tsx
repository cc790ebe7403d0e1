import { useSignal } from '@preact/signals';
import './filters.css';

/** A filter of a list: a choice if it has options, else a text. An empty value means no filter. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

export type FilterValues = Readonly<Record<string, string>>;

/** Returns the values of filters and a setter. They are kept in the address, so that Back and a bookmark restore them. */
export function useFilters(defaults: FilterValues): readonly [FilterValues, (name: string, value: string) => void] {
  const values = useSignal<FilterValues>(readAddress(defaults));
  const change = (name: string, value: string): void => {
    values.value = { ...values.value, [name]: value };
    const params = new URLSearchParams();
    for (const [key, one] of Object.entries(values.value)) if (one !== (defaults[key] ?? '')) params.set(key, one);
    const query = params.toString();
    history.replaceState(history.state, '', `${location.pathname}${query === '' ? '' : `?${query}`}`);
  };
  return [values.value, change];
}

function readAddress(defaults: FilterValues): FilterValues {
  const params = new URLSearchParams(location.search);
  return { ...defaults, ...Object.fromEntries(params) };
}

interface FilterBarProps {
  readonly label: string;
  readonly filters: readonly Filter[];
  readonly values: FilterValues;
  readonly onChange: (name: string, value: string) => void;
}

/** The filters above a list. Choices apply at once, texts on Enter or when they are left. */
export function FilterBar({ label, filters, values, onChange }: FilterBarProps) {
  return (
    <form class="filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {filters.map(({ name, label: title, options }) => (
        <label key={name}>
          <span class="small soft">{title}</span>
          {options === undefined ? (
            <input
              type="search"
              value={values[name] ?? ''}
              onChange={(event) => onChange(name, event.currentTarget.value)}
            />
          ) : (
            <select value={values[name] ?? ''} onChange={(event) => onChange(name, event.currentTarget.value)}>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          )}
        </label>
      ))}
    </form>
  );
}
