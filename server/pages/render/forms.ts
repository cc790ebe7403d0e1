import { html, type Html } from '../../platform/http/html.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { Message } from '../../platform/i18n/message.ts';
import { formTokenField } from './layout.ts';
import type { Visitor } from '../visitor.ts';

/** Returns an error message about a field, which it calls `subject`. */
type DescribeError = (subject: string) => string;

/** The errors of a form by field. */
export type FormErrors = Readonly<Record<string, readonly DescribeError[]>>;

/** Returns the parts of a validation error by field, in the language of the visitor. Rethrows every other error. */
export function formErrors({ t }: Visitor, error: unknown): FormErrors {
  const details = error instanceof HttpError && error.status === 422 ? error.details?.['details'] : undefined;
  if (details === undefined) throw error;
  const fields = Object.entries(details as Record<string, { description: Message }[]>);
  return Object.fromEntries(
    fields.map(([field, errors]) => [
      field,
      errors.map(
        ({ description: problem }) =>
          (subject: string) =>
            t('http.fieldProblem', { field: subject, problem }),
      ),
    ]),
  );
}

/** Renders a form that is submitted by POST, with its CSRF token. */
export function form(visitor: Visitor, action: string, body: Html): Html {
  return html`<form method="post" action="${action}">${formTokenField(visitor)}${body}</form>`;
}

/** Renders a hidden field; nothing without a value. */
export function hiddenField(name: string, value: string | undefined): Html | undefined {
  return value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}" />`;
}

interface FieldOptions {
  readonly label: string;
  /** What an error is about. Default: the label, which must be a noun then. */
  readonly subject?: string;
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly autocomplete: string;
  readonly errors?: FormErrors | undefined;
  readonly maxLength?: number;
  readonly optional?: boolean;
  /** For the keyboard of phones. */
  readonly inputMode?: 'numeric' | undefined;
  readonly multiline?: boolean;
  /** By default the name. Needed if two forms of a page have a field of this name. */
  readonly id?: string;
}

/** Renders a labelled field, with its hint and errors linked for screen readers. Never repeats a password. */
export function field(options: FieldOptions): Html {
  const {
    label,
    subject = label,
    name,
    type = 'text',
    value = '',
    hint,
    autocomplete,
    errors,
    maxLength,
    optional,
    multiline,
    inputMode,
  } = options;
  const id = options.id ?? name;
  const wrong = errors?.[name] ?? [];
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(wrong.length > 0 ? [`${id}-wrong`] : [])];
  const attributes = html`id="${id}" name="${name}"
  autocomplete="${autocomplete}"${maxLength !== undefined && html` maxlength="${maxLength}"`}${inputMode !== undefined && html` inputmode="${inputMode}"`}${optional !== true && html` required`}${notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`}${wrong.length > 0 && html` aria-invalid="true"`}`;
  const plain = html` autocapitalize="none" spellcheck="false"`;
  return html`<div class="field">
    <label for="${id}">${label}</label> ${
      multiline === true
        ? html`<textarea ${attributes}>${value}</textarea>`
        : html`<input type="${type}" ${attributes}${plain}${type !== 'password' && html` value="${value}"`} />`
    }
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${wrong.length > 0 && html`<p class="wrong" id="${id}-wrong">${wrong.map((describe, index) => html`${index > 0 && html`<br />`}${describe(subject)}`)}</p>`}
  </div>`;
}

/** Renders a list of choices with its label. */
export const select = ({
  label,
  name,
  id = name,
  options,
  selected,
}: {
  readonly label: string;
  readonly name: string;
  readonly id?: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly selected: string;
}): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}">
      ${options.map(([value, text]) => html`<option value="${value}" ${value === selected && html`selected`}>${text}</option>`)}
    </select>
  </div>`;

/** Renders an alert above a form with errors, for people who do not see the fields at once. */
export function errorSummary({ t }: Visitor, errors: FormErrors | undefined): Html | undefined {
  if (errors === undefined || Object.keys(errors).length === 0) return undefined;
  return html`<div class="notice bad" role="alert"><p>${t('pages.correctFields')}</p></div>`;
}

export function notice(text: string, kind: 'good' | 'bad' | 'plain' = 'plain'): Html {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}"><p>${text}</p></div>`;
}
