import { html, type Html } from '../platform/http/html.ts';
import { HttpError } from '../platform/http/http-errors.ts';
import { formTokenField } from './layout.ts';
import type { Visitor } from './visitor.ts';

/** What is wrong, by the name of the field. */
export type FormErrors = Readonly<Record<string, readonly string[]>>;

/** The errors of a refused form, by field; throws on what is no refusal of fields. */
export function formErrors(error: unknown): FormErrors {
  const details = error instanceof HttpError && error.status === 422 ? error.details?.['details'] : undefined;
  if (details === undefined) throw error;
  const fields = Object.entries(details as Record<string, { description: string }[]>);
  return Object.fromEntries(fields.map(([field, errors]) => [field, errors.map(({ description }) => description)]));
}

/** A form that is sent by POST, with the proof that it is ours. */
export function form(visitor: Visitor, action: string, body: Html): Html {
  return html`<form method="post" action="${action}">${formTokenField(visitor)}${body}</form>`;
}

/** A hidden value that goes along; nothing when there is none. */
export function hiddenField(name: string, value: string | undefined): Html | undefined {
  return value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}" />`;
}

interface FieldOptions {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly autocomplete: string;
  readonly errors?: FormErrors | undefined;
  readonly maxLength?: number;
  readonly optional?: boolean;
  readonly multiline?: boolean;
  /** When two forms of a page have a field of this name. */
  readonly id?: string;
}

/** A labelled field with its hint and its errors, tied together for screen readers. A password is never sent back. */
export function field(options: FieldOptions): Html {
  const {
    label,
    name,
    type = 'text',
    value = '',
    hint,
    autocomplete,
    errors,
    maxLength,
    optional,
    multiline,
  } = options;
  const id = options.id ?? name;
  const wrong = errors?.[name] ?? [];
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(wrong.length > 0 ? [`${id}-wrong`] : [])];
  const attributes = html`id="${id}" name="${name}"
  autocomplete="${autocomplete}"${maxLength !== undefined && html` maxlength="${maxLength}"`}${optional !== true && html` required`}${notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`}${wrong.length > 0 && html` aria-invalid="true"`}`;
  const plain = html` autocapitalize="none" spellcheck="false"`;
  return html`<div class="field">
    <label for="${id}">${label}</label> ${
      multiline === true
        ? html`<textarea ${attributes}>${value}</textarea>`
        : html`<input type="${type}" ${attributes}${plain}${type !== 'password' && html` value="${value}"`} />`
    }
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${wrong.length > 0 && html`<p class="wrong" id="${id}-wrong">${label} ${wrong.join('; ')}.</p>`}
  </div>`;
}

/** Says that something is wrong with the form, for those who do not see the fields at once. */
export function errorSummary(errors: FormErrors | undefined): Html | undefined {
  if (errors === undefined || Object.keys(errors).length === 0) return undefined;
  return html`<div class="notice bad" role="alert"><p>Please look at the marked fields again.</p></div>`;
}

/** A message above a page. */
export function notice(text: string, kind: 'good' | 'bad' | 'plain' = 'plain'): Html {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}"><p>${text}</p></div>`;
}
