import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

/** Settings that belong together. */
export function Section({ title, hint, children }: SectionProps) {
  const id = useId();
  return (
    <section class="setting-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p class="soft">{hint}</p>}
      {children}
    </section>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A setting that is on or off. */
export function Toggle({ label, hint, isOn, onChange }: ToggleProps) {
  const id = useId();
  return (
    <div class="setting toggle">
      <span class="setting-text">
        <label for={id}>{label}</label>
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      </span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}

/** One of the values of a setting. */
export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A setting with few values, all in view. */
export function Choice<Value extends string>({ label, hint, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class="setting options">
      <legend>{label}</legend>
      {hint !== undefined && <small>{hint}</small>}
      <div class="choice-options">
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span>
              {option.label}
              {option.hint !== undefined && <small>{option.hint}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A setting with many values. */
export function Select<Value extends string>({ label, hint, value, options, onChange }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class="setting select">
      <span class="setting-text">
        <label for={id}>{label}</label>
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      </span>
      <select
        id={id}
        value={value}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
