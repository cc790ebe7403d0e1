import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { ApiError } from '../../api/client.ts';
import { CancelButton } from '../../ui/dialog.tsx';
import { showError } from '../../ui/toasts.tsx';
import { Field } from './field.tsx';
import type { FieldSpec, FormValues, FormValue } from './fields.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';
import './form.css';

interface FormProps {
  readonly fields: readonly FieldSpec[];
  readonly initial: FormValues;
  readonly submitLabel: string;
  /** Sends the values. If it rejects with errors of fields, they are shown beside them. */
  readonly onSubmit: (values: FormValues) => Promise<void>;
  readonly onCancel?: (() => void) | undefined;
  /** Shown below the fields. */
  readonly renderEnd?: ((values: FormValues) => ComponentChildren) | undefined;
}

/** A form of fields. What was typed stays if the server refuses it. */
export function Form({ fields, initial, submitLabel, onSubmit, onCancel, renderEnd }: FormProps) {
  const values = useSignal<FormValues>(initial);
  const problems = useSignal<Readonly<Record<string, string>>>({});
  const [submit, isBusy] = useSingleRun(async () => {
    problems.value = {};
    try {
      await onSubmit(values.value);
    } catch (error) {
      const found = error instanceof ApiError ? readProblems(error, fields) : {};
      problems.value = found;
      if (Object.keys(found).length === 0) showError(error);
    }
  });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values.value[field.name]}
          problem={problems.value[field.name]}
          onChange={(value: FormValue) => (values.value = { ...values.value, [field.name]: value })}
        />
      ))}
      {renderEnd?.(values.value)}
      <div class="buttons">
        {onCancel !== undefined && <CancelButton onClick={onCancel} />}
        <button type="submit" class="button" disabled={isBusy}>
          {submitLabel}
        </button>
      </div>
    </form>
  );
}

/** Returns the errors of the fields of a form by their names. */
function readProblems({ body }: ApiError, fields: readonly FieldSpec[]): Readonly<Record<string, string>> {
  const details = body?.details ?? {};
  const found = fields.flatMap(({ name }) => {
    const list = details[name];
    if (!Array.isArray(list)) return [];
    const words = (list as { description?: string }[]).map(({ description }) => description ?? '');
    return [[name, words.join(' ')] as const];
  });
  return Object.fromEntries(found);
}
