import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { limitInput } from '../../ui/limit-input.ts';
import type { FieldSpec, FormValue } from './fields.ts';
import { HtmlTools } from './html-field.tsx';

interface FieldProps {
  readonly field: FieldSpec;
  readonly value: FormValue | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: FormValue) => void;
}

/** A field with its label, hint and error. */
export function Field({ field, value, problem, onChange }: FieldProps) {
  const id = useId();
  const { kind, label, hint } = field;
  const hintId = `${id}-hint`;
  const notes = (
    <span id={hintId}>
      {problem !== undefined && <span class="problem">{problem}</span>}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </span>
  );
  if (kind === 'checkbox')
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={value === true}
            aria-describedby={hintId}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          {label}
        </label>
        {notes}
      </div>
    );
  if (kind === 'choices') return <Choices field={field} value={value} notes={notes} onChange={onChange} />;
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      <Control
        id={id}
        hintId={hintId}
        field={field}
        value={value}
        isInvalid={problem !== undefined}
        onChange={onChange}
      />
      {notes}
      {kind === 'html' && <HtmlTools label={label} value={String(value ?? '')} onChange={onChange} />}
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly hintId: string;
  readonly field: FieldSpec;
  readonly value: FormValue | undefined;
  readonly isInvalid: boolean;
  readonly onChange: (value: FormValue) => void;
}

function Control({ id, hintId, field, value, isInvalid, onChange }: ControlProps) {
  const { kind, name, options = [], isRequired = false, maxLength, rows = 4 } = field;
  const common = { id, name, 'aria-describedby': hintId, 'aria-invalid': isInvalid, required: isRequired };
  switch (kind) {
    case 'textarea':
    case 'html':
      return (
        <textarea
          {...common}
          dir="auto"
          rows={rows}
          value={String(value ?? '')}
          onInput={limitInput(maxLength, onChange)}
        />
      );
    case 'lines':
      return (
        <textarea
          {...common}
          dir="auto"
          rows={rows}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onInput={(event) => onChange(event.currentTarget.value.split('\n'))}
        />
      );
    case 'choice':
      return (
        <select {...common} value={String(value ?? '')} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case 'image':
      return (
        <input
          {...common}
          type="file"
          accept="image/*"
          onChange={(event) => void readFile(event.currentTarget.files?.[0]).then(onChange)}
        />
      );
    case 'number':
      return <input {...common} {...typed(value, onChange)} type="number" />;
    case 'color':
    case 'date':
    case 'datetime-local':
      return <input {...common} {...typed(value, onChange)} type={kind} />;
    default:
      return <input {...common} {...typed(value, onChange, maxLength)} type="text" dir="auto" />;
  }
}

const typed = (value: FormValue | undefined, onChange: (value: string) => void, maxLength?: number) => ({
  value: typeof value === 'string' ? value : '',
  onInput: limitInput(maxLength, onChange),
});

function readFile(file: File | undefined): Promise<string> {
  if (file === undefined) return Promise.resolve('');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
  reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')));
  reader.readAsDataURL(file);
  return promise;
}

interface ChoicesProps {
  readonly field: FieldSpec;
  readonly value: FormValue | undefined;
  readonly notes: ComponentChildren;
  readonly onChange: (value: FormValue) => void;
}

function Choices({ field, value, notes, onChange }: ChoicesProps) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <fieldset class="check-group">
      <legend>{field.label}</legend>
      {(field.options ?? []).map((option) => (
        <label key={option.value} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value),
              )
            }
          />
          <span>
            {option.label}
            {option.hint !== undefined && <small class="soft">{option.hint}</small>}
          </span>
        </label>
      ))}
      {notes}
      {field.options?.length === 0 && <p class="soft">{t('moderation.nothing')}</p>}
    </fieldset>
  );
}
