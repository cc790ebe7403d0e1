import fc from 'fast-check';
import { Type, type TObject } from 'typebox';
import { expect, test } from 'vitest';
import { idSchema, uncheckedIdSchema } from '../id-schema.ts';
import { nestParams, parseParams, parsePathParams } from './parse-params.ts';
import { HttpError } from './http-errors.ts';

const parseForm = (form: string): unknown => JSON.parse(JSON.stringify(nestParams(new URLSearchParams(form))));
const parseWith = (schema: TObject, form: string): unknown =>
  parseParams(schema, nestParams(new URLSearchParams(form)));

test('a repeated key starts the next object of a list', () => {
  expect(
    parseForm('keywords_attributes[][keyword]=a&keywords_attributes[][whole_word]=1&keywords_attributes[][keyword]=b'),
  ).toEqual({ keywords_attributes: [{ keyword: 'a', whole_word: '1' }, { keyword: 'b' }] });
});

test('objects in the objects of a list stay with their parent', () => {
  expect(parseForm('m[][focus][x]=1&m[][focus][y]=2&m[][focus][x]=3')).toEqual({
    m: [{ focus: { x: '1', y: '2' } }, { focus: { x: '3' } }],
  });
});

test('form values are converted to the types of the schema', () => {
  const schema = Type.Object({
    poll: Type.Object({ options: Type.Array(Type.String()), multiple: Type.Boolean(), expires_in: Type.Integer() }),
    fields_attributes: Type.Array(Type.Object({ name: Type.String() })),
    sensitive: Type.Boolean(),
    media_ids: Type.Array(idSchema<'media'>()),
  });
  expect(
    parseWith(
      schema,
      'poll[options][]=x&poll[options][]=y&poll[multiple]=on&poll[expires_in]=60&fields_attributes[0][name]=n&sensitive=0&media_ids=7&other=1',
    ),
  ).toEqual({
    poll: { options: ['x', 'y'], multiple: true, expires_in: 60 },
    fields_attributes: [{ name: 'n' }],
    sensitive: false,
    media_ids: ['7'],
  });
});

test('booleans are parsed as Rails casts them', () => {
  const schema = Type.Object({ on: Type.Optional(Type.Boolean()) });
  for (const text of ['1', 't', 'true', 'on', 'yes', 'anything'])
    expect(parseWith(schema, `on=${text}`)).toEqual({ on: true });
  for (const text of ['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])
    expect(parseWith(schema, `on=${text}`)).toEqual({ on: false });
  expect(parseWith(schema, 'on=')).toEqual({});
  expect(parseParams(schema, { on: 1 })).toEqual({ on: true });
});

test('a null stays where the schema names it', () => {
  const schema = Type.Object({
    expires_in: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
    title: Type.Optional(Type.String()),
  });
  expect(parseParams(schema, { expires_in: null, title: null })).toEqual({ expires_in: null });
  expect(parseParams(schema, { expires_in: '' })).toEqual({ expires_in: '' });
  expect(parseParams(schema, {})).toEqual({});
});

test('nulls and invalid optional numbers count as omitted; a missing parameter is named (400)', () => {
  const schema = Type.Object({ q: Type.String(), limit: Type.Optional(Type.Integer()) });
  expect(parseParams(schema, { q: 'x', limit: null })).toEqual({ q: 'x' });
  expect(parseWith(schema, 'q=x&limit=many')).toEqual({ q: 'x' });
  expect(() => parseParams(schema, { limit: 1 })).toThrow('param is missing or the value is empty: q');
});

test('plain text instead of objects counts as omitted (masto.js sends "undefined"); lists of numbers hold numbers', () => {
  const field = Type.Object({ name: Type.String() });
  const schema = Type.Object({
    poll: Type.Optional(field),
    fields: Type.Optional(Type.Array(field)),
    choices: Type.Optional(Type.Array(Type.Integer())),
  });
  expect(parseWith(schema, 'poll=undefined&fields=undefined&choices[]=1')).toEqual({ choices: [1] });
  expect(parseParams(schema, { poll: '', fields: ['x', { name: 'y' }] })).toEqual({ fields: [{ name: 'y' }] });
  expect(() => parseParams(Type.Object({ poll: field }), { poll: 'x' })).toThrow('param is missing');
  expect(() => parseWith(schema, 'choices[]=1&choices[]=x')).toThrow(/choices/);
});

test('PAG-01: an id that is not a 64-bit integer does not exist (404); invalid ids in a list are left out', () => {
  const schema = Type.Object({
    id: Type.Optional(idSchema<'status'>()),
    ids: Type.Optional(Type.Array(idSchema<'status'>())),
  });
  expect(parseWith(schema, 'id=9223372036854775807&ids[]=1&ids[]=x')).toEqual({
    id: '9223372036854775807',
    ids: ['1'],
  });
  for (const form of ['ids[[]]=1', 'ids[a]=1', 'ids[][a]=1', 'ids[][]=1'])
    expect(parseWith(schema, form)).toEqual({ ids: [] });
  for (const id of ['abc', '9223372036854775808', '1.5', '99999999999999999999999']) {
    expect(() => parseParams(schema, { id })).toThrow(expect.objectContaining({ status: 404 }));
  }
});

test('a value outside its enum, or an object instead of text, is rejected with the name of the parameter (422)', () => {
  const schema = Type.Object({
    visibility: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('private')])),
    status: Type.Optional(Type.String()),
  });
  const refusal = (text: string, details: object): object =>
    expect.objectContaining({ status: 422, message: `Validation failed: ${text}`, details: { details } });
  expect(() => parseWith(schema, 'visibility=secret')).toThrow(
    refusal('visibility must be one of public, private', {
      visibility: [{ error: 'ERR_INCLUSION', description: expect.anything() }],
    }),
  );
  expect(() => parseWith(schema, 'status[a]=1')).toThrow(
    refusal('status is invalid', { status: [{ error: 'ERR_INVALID', description: expect.anything() }] }),
  );
  expect(parseWith(schema, 'visibility=')).toEqual({});
});

test('characters that PostgreSQL cannot store are removed from text', () => {
  expect(parseParams(Type.Object({ a: Type.String() }), { a: 'x\0y\uD800' })).toEqual({ a: 'xy\uFFFD' });
});

test('names of prototype members stay plain keys', () => {
  nestParams(new URLSearchParams('__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1'));
  parseParams(
    Type.Object({}, { additionalProperties: true }),
    nestParams(new URLSearchParams('__proto__[polluted]=1')),
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('any input is parsed or rejected, and never fails otherwise', () => {
  const schema = Type.Object({
    text: Type.Optional(Type.String()),
    on: Type.Optional(Type.Boolean()),
    n: Type.Optional(Type.Integer()),
    list: Type.Optional(Type.Array(Type.Object({ a: Type.Optional(Type.String()) }))),
    deep: Type.Optional(Type.Object({ id: Type.Optional(idSchema<'x'>()) })),
    ids: Type.Optional(Type.Array(idSchema<'x'>())),
  });
  const name = fc.string({
    unit: fc.constantFrom('text', 'on', 'n', 'list', 'deep', 'ids', '[', ']', 'a', 'id', '0', ''),
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
      try {
        parseParams(schema, nestParams(pairs));
      } catch (error) {
        expect(error).toBeInstanceOf(HttpError);
      }
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('text', 'on', 'n', 'list', 'deep', 'ids'), fc.jsonValue()), (value) => {
      try {
        parseParams(schema, value);
      } catch (error) {
        expect(error).toBeInstanceOf(HttpError);
      }
    }),
  );
});

test('a blank id counts as omitted, or as missing if it is required, and matches nothing in a path', () => {
  const optional = Type.Object({ id: Type.Optional(idSchema<'x'>()), unchecked: Type.Optional(uncheckedIdSchema()) });
  for (const blank of ['', ' ', '\t']) {
    expect(parseParams(optional, { id: blank, unchecked: blank })).toEqual({});
    expect(() => parseParams(Type.Object({ id: idSchema<'x'>() }), { id: blank })).toThrow(
      expect.objectContaining({ status: 400, message: 'param is missing or the value is empty: id' }),
    );
    expect(() => parsePathParams(optional, { id: blank })).toThrow(expect.objectContaining({ status: 404 }));
  }
  expect(parseParams(optional, { unchecked: 'x1' })).toEqual({ unchecked: 'x1' });
});

test('a number beyond the bounds of its schema becomes the nearest bound', () => {
  const schema = Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) });
  const page = (value: unknown): unknown => parseParams(schema, { page: value })['page'];
  expect(['-5', '0', '1', '7.9', '100', '101', '1e30'].map(page)).toEqual([1, 1, 1, 7, 100, 100, 100]);
  expect(['1e999', 'NaN', 'x', '', [5], { a: 5 }].map(page)).toEqual(Array(6).fill(undefined));
});
