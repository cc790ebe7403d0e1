/** A field of a form. */
export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly kind:
    | 'text'
    | 'textarea'
    /** HTML, with a preview. */
    | 'html'
    | 'number'
    | 'date'
    | 'datetime-local'
    | 'color'
    | 'checkbox'
    /** One of the options. */
    | 'choice'
    /** Any of the options. */
    | 'choices'
    /** One item a line. */
    | 'lines'
    /** A file, as data URL. */
    | 'image';
  readonly hint?: string | undefined;
  readonly options?: readonly Option[];
  readonly isRequired?: boolean;
  readonly maxLength?: number | undefined;
  readonly rows?: number;
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export type FormValue = string | boolean | readonly string[];
export type FormValues = Readonly<Record<string, FormValue>>;

/** Returns the values of an empty form. */
export const emptyValues = (fields: readonly FieldSpec[]): FormValues =>
  Object.fromEntries(
    fields.map(({ name, kind, options }): [string, FormValue] => {
      if (kind === 'checkbox') return [name, false];
      if (kind === 'choices' || kind === 'lines') return [name, []];
      return [name, kind === 'choice' ? (options?.[0]?.value ?? '') : ''];
    }),
  );

/** Returns the body of a request: numbers as numbers, and neither empty numbers, dates nor images. */
export function toBody(fields: readonly FieldSpec[], values: FormValues): Record<string, unknown> {
  const entries = fields.flatMap(({ name, kind }): [string, unknown][] => {
    const value = values[name];
    if (value === undefined) return [];
    if (kind === 'number') return value === '' ? [] : [[name, Number(value)]];
    if (kind === 'image' || kind === 'date') return value === '' ? [] : [[name, value]];
    if (kind === 'datetime-local') return value === '' ? [] : [[name, new Date(String(value)).toISOString()]];
    if (kind === 'lines')
      return [[name, (value as readonly string[]).map((line) => line.trim()).filter((line) => line !== '')]];
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** Returns a time of the API as the value of a field of the kind datetime-local. */
export function toLocalTime(time: string | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
