/** A filter of a list: a choice if it has options, else a text. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/** The values of filters by their names. An empty value means no filter. */
export type FilterValues = Readonly<Record<string, string>>;

/** Returns the values that the query of an address has, with defaults. Other parameters are left out. */
export function readFilters(query: string, defaults: FilterValues): FilterValues {
  const params = new URLSearchParams(query);
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]));
}

/** Returns the query of an address for values: those that are not the default. */
export function toQueryString(values: FilterValues, defaults: FilterValues): string {
  const changed = Object.entries(values).filter(([name, value]) => value !== (defaults[name] ?? ''));
  return changed.length === 0 ? '' : `?${new URLSearchParams(changed).toString()}`;
}

/** Returns the filters that are not as they are by default, as texts such as "State: resolved". */
export function activeFilters(
  filters: readonly Filter[],
  values: FilterValues,
  defaults: FilterValues,
): readonly { readonly name: string; readonly text: string }[] {
  return filters.flatMap(({ name, label, options }) => {
    const value = values[name] ?? '';
    if (value === (defaults[name] ?? '')) return [];
    const shown = options?.find((option) => option.value === value)?.label ?? value;
    return [{ name, text: `${label}: ${shown}` }];
  });
}
