import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTemplateProblem, renderTemplate } from './template.ts';

const document = {
  event: 'report.created',
  object: { id: '7', text: 'a "b"\n', open: true, list: [{ id: '8' }], none: null, nested: { x: 1 } },
};

test.each([
  ['{{event}}', 'report.created'],
  ['id {{object.id}} of {{event}}', 'id 7 of report.created'],
  ['{"text":"{{object.text}}"}', '{"text":"a \\"b\\"\\n"}'],
  ['{{object.open}} {{object.none}} {{object.unknown}} {{unknown.deep}}', 'true null null null'],
  ['{{object.list.0.id}} {{object.list.1.id}}', '8 null'],
  ['{{object.nested}}', '{"x":1}'],
  ['{{object.constructor}} {{constructor}}', 'null null'],
  ['{ "a": {} }', '{ "a": {} }'],
])('%s is rendered as %s', (template, text) => {
  expect(findTemplateProblem(template)).toBeUndefined();
  expect(renderTemplate(template, document)).toBe(text);
});

test.each([
  '{{',
  '{{}}',
  '{{ event }}',
  '{{Event}}',
  '{{object..id}}',
  '{{object.id}',
  '{{0.id}}',
  '{{object.id}}}} {{x',
])('%s is no valid template', (template) => {
  expect(String(findTemplateProblem(template))).toContain('{{');
});

test('a template is limited in length and variables', () => {
  expect(String(findTemplateProblem('x'.repeat(5_001)))).toContain('too long');
  expect(String(findTemplateProblem('{{event}}'.repeat(51)))).toContain('50');
  expect(findTemplateProblem('{{event}}'.repeat(50))).toBeUndefined();
});

test('a variable in a JSON string keeps every text intact', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const rendered = renderTemplate('{"text":"{{object.text}}","same":{{object}}}', { object: { text } });
      expect(JSON.parse(rendered)).toEqual({ text, same: { text } });
    }),
  );
});
