import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonSlot, JsonTemplate } from './json-template.ts';

/** Renders the viewer's name, or null for anonymous viewers. */
class NameSlot extends JsonSlot<{ readonly name: string }> {
  override render({ name }: { readonly name: string }): string {
    return JSON.stringify(name);
  }

  override toJSON(): null {
    return null;
  }
}

function render<Context>(template: JsonTemplate<Context>, context: Context): string {
  const fragments: string[] = [];
  template.renderInto(fragments, context);
  return fragments.join('');
}

test('a template without slots renders what JSON.stringify renders, in ASCII', () => {
  // JSON.parse of Node 24 confuses keys with a backslash with escaped ones (see parse-json.test.ts).
  const key = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\\', ''));
  fc.assert(
    fc.property(fc.object({ key, stringUnit: 'binary' }), (value) => {
      const json = `${render(JsonTemplate.open(value), {})}}`;
      expect(json).toMatch(/^[ -~]*$/);
      expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(value));
    }),
  );
});

test('undefined members are omitted, and dates are rendered as text', () => {
  const at = new Date(0);
  const fields = { first: undefined, at, list: [undefined, { second: undefined }] };
  expect(`${render(JsonTemplate.open(fields), {})}}`).toBe(JSON.stringify(fields));
});

test('slots are filled for each viewer, including those of nested templates', () => {
  const inner = JsonTemplate.open<{ readonly name: string }>({ to: new NameSlot() }).append(',"more":true}');
  const outer = JsonTemplate.members<{ readonly name: string }>({ list: [new NameSlot(), inner], end: 'ü' });
  expect(render(outer, { name: 'ann' })).toBe('"list":["ann",{"to":"ann","more":true}],"end":"\\u00fc"');
  expect(render(outer, { name: 'bob' })).toContain('"to":"bob"');
});

test('JSON.stringify renders what anonymous viewers see', () => {
  expect(JSON.stringify({ to: new NameSlot() })).toBe('{"to":null}');
});
