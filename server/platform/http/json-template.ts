import { escapeNonAscii, flattenString } from './http-response.ts';

/** A value in a JSON template that depends on the viewer. */
export abstract class JsonSlot<Context> {
  /** Returns the value as ASCII JSON. */
  abstract render(context: Context): string;
  /** Returns the value for anonymous viewers, which is what `JSON.stringify` writes. */
  abstract toJSON(): unknown;
}

/** JSON text that is cached for every viewer, with slots for what depends on one. */
export class JsonTemplate<Context> {
  /** ASCII; one more than slots: `texts[n]` precedes `slots[n]`. */
  readonly texts: readonly string[];
  readonly slots: readonly JsonSlot<Context>[];

  private constructor(texts: readonly string[], slots: readonly JsonSlot<Context>[]) {
    this.texts = texts;
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
    return new JsonTemplate(
      writer.texts.map((text) => flattenString(escapeNonAscii(text))),
      writer.slots,
    );
  }

  /** Returns a template with more ASCII JSON text at its end. */
  append(text: string): JsonTemplate<Context> {
    return new JsonTemplate([...this.texts.slice(0, -1), flattenString(`${this.texts.at(-1)}${text}`)], this.slots);
  }

  /** Adds the JSON that a viewer sees to `fragments`. */
  renderInto(fragments: string[], context: Context): void {
    const { texts, slots } = this;
    for (let index = 0; index < slots.length; index += 1) {
      fragments.push(texts[index] as string, (slots[index] as JsonSlot<Context>).render(context));
    }
    fragments.push(texts[slots.length] as string);
  }
}

class TemplateWriter<Context> {
  readonly texts: string[];
  readonly slots: JsonSlot<Context>[] = [];

  constructor(start: string) {
    this.texts = [start];
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

  #writeText(text: string): void {
    this.texts.push(`${this.texts.pop()}${text}`);
  }

  #writeSlot(slot: JsonSlot<Context>): void {
    this.slots.push(slot);
    this.texts.push('');
  }

  #writeTemplate({ texts, slots }: JsonTemplate<Context>): void {
    const [first = '', ...rest] = texts;
    this.#writeText(first);
    this.texts.push(...rest);
    this.slots.push(...slots);
  }
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);
