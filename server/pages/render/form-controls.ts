import { html, type Html } from '../../platform/http/html.ts';

/** Renders a checkbox with its label. */
export const checkbox = ({
  label,
  name,
  id = name,
  value = '1',
  checked,
}: {
  readonly label: string;
  readonly name: string;
  readonly id?: string;
  readonly value?: string;
  readonly checked: boolean;
}): Html =>
  html`<div class="check">
    <input type="checkbox" id="${id}" name="${name}" value="${value}" ${checked && html`checked`} />
    <label for="${id}">${label}</label>
  </div>`;

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

/** Renders a field for an image. */
export const fileField = ({ label, name }: { readonly label: string; readonly name: string }): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input type="file" id="${name}" name="${name}" accept="image/*" />
  </div>`;
