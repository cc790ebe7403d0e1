import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('texts, numbers and literals have the form of the example in RFC 8785, section 3.2.2', () => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(input))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('names have the order of the example in RFC 8785, section 3.2.3', () => {
  const input = String.raw`{
    "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
  }`;
  const order = ['Carriage Return', 'One', 'Control', 'Latin Small Letter O With Diaeresis', 'Euro Sign'];
  const values = canonicalJson(JSON.parse(input)).match(/(?<=:")[^"]+/g);
  expect(values).toEqual([...order, 'Emoji: Grinning Face', 'Hebrew Letter Dalet With Dagesh']);
});

test('numbers without a sign or a fraction of zero, empty values and a name of the prototype stay as they are', () => {
  expect(canonicalJson(JSON.parse('{"b": [-0, 1.0, []], "a": {}, "__proto__": {"z": "", "a": null}}'))).toBe(
    '{"__proto__":{"a":null,"z":""},"a":{},"b":[0,1,[]]}',
  );
});
