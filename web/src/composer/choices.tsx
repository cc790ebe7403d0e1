import { useId } from 'preact/hooks';
import '../ui/choices.css';

interface ChoicesProps<Value extends string> {
  readonly legend: string;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  /** Why nothing can be chosen. */
  readonly disabledBecause?: string | undefined;
}

/** Radio buttons, each with an explanation. */
export function Choices<Value extends string>({
  legend,
  choices,
  chosen,
  onChoose,
  disabledBecause,
}: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset disabled={disabledBecause !== undefined}>
      <legend>{legend}</legend>
      {disabledBecause !== undefined && <p class="soft small">{disabledBecause}</p>}
      {choices.map(({ value, label, hint }) => (
        <label key={value} class={disabledBecause === undefined ? 'choice' : 'choice disabled'}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>
            {label}
            {hint !== undefined && <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
