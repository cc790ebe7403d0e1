import { escapeNonAscii, flattenString } from './http-response.ts';

/** A value in a JSON template that depends on the viewer. */
export abstract class JsonSlot<Context> {
  /** Returns the value as ASCII JSON; undefined if it is the one for anonymous viewers. */
  abstract render(context: Context): string | undefined;
  /** Returns the value for anonymous viewers, which is what `JSON.stringify` writes. */
  abstract toJSON(): unknown;
}

/** A slot, and where its value for anonymous viewers is in the text. */
interface PlacedSlot<Context> {
  readonly slot: JsonSlot<Context>;
  readonly start: number;
  readonly end: number;
}

/** JSON text that is cached for every viewer, with slots for what depends on one. */
export class JsonTemplate<Context> {
  /** ASCII: what anonymous viewers get. */
  readonly text: string;
  readonly slots: readonly PlacedSlot<Context>[];

  private constructor(text: string, slots: readonly PlacedSlot<Context>[]) {
    this.text = flattenString(text);
    this.slots = slots;
  }

  /** Writes an object without its closing brace, so that members can be appended. All its slots must fit `Context`. */
  static open<Context>(value: object): JsonTemplate<Context> {
    return JsonTemplate.#write(value, '{');
  }

  /** Writes the members of an object without its braces. */
  static members<Context>(value: object): JsonTemplate<Context> {
    return JsonTemplate.#write(value, '');
  }

  static #write<Context>(value: object, start: string): JsonTemplate<Context> {
    const writer = new TemplateWriter<Context>(start);
    writer.writeMembers(value);
    return new JsonTemplate(writer.text, writer.slots);
  }

  /** Returns a template with more ASCII JSON text at its end. */
  append(text: string): JsonTemplate<Context> {
    return new JsonTemplate(`${this.text}${text}`, this.slots);
  }

  /** Adds the JSON that a viewer sees to `fragments`: a single one if it is what anonymous viewers get. */
  renderInto(fragments: string[], context: Context): void {
    let written = 0;
    for (const { slot, start, end } of this.slots) {
      const value = slot.render(context);
      if (value === undefined) continue;
      fragments.push(this.text.slice(written, start), value);
      written = end;
    }
    fragments.push(written === 0 ? this.text : this.text.slice(written));
  }
}

class TemplateWriter<Context> {
  text: string;
  readonly slots: PlacedSlot<Context>[] = [];

  constructor(start: string) {
    this.text = start;
  }

  writeMembers(value: object): void {
    let separator = '';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      this.#writeText(`${separator}${JSON.stringify(name)}:`);
      this.#write(member);
      separator = ',';
    }
  }

  #write(value: unknown): void {
    if (value instanceof JsonSlot) this.#writeSlot(value as JsonSlot<Context>);
    else if (value instanceof JsonTemplate) this.#writeTemplate(value as JsonTemplate<Context>);
    else if (Array.isArray(value)) this.#writeList(value);
    else if (isPlainObject(value)) {
      this.#writeText('{');
      this.writeMembers(value);
      this.#writeText('}');
    } else this.#writeText(JSON.stringify(value ?? null));
  }

  #writeList(items: readonly unknown[]): void {
    this.#writeText('[');
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#writeText(',');
      this.#write(item);
    }
    this.#writeText(']');
  }

  #writeText(json: string): void {
    this.text += escapeNonAscii(json);
  }

  #writeSlot(slot: JsonSlot<Context>): void {
    const start = this.text.length;
    this.#writeText(JSON.stringify(slot));
    this.slots.push({ slot, start, end: this.text.length });
  }

  #writeTemplate({ text, slots }: JsonTemplate<Context>): void {
    const offset = this.text.length;
    this.text += text;
    for (const { slot, start, end } of slots) this.slots.push({ slot, start: start + offset, end: end + offset });
  }
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);
