import { expect, test } from 'vitest';
import { unknownConditionalMembers, withPlainMembers } from './conditional-members.ts';
import { readSource, sourceFiles } from './layers.ts';

/** Appended to a file of the server: objects whose type has no `nme`, and some that are right. */
const planted = `
interface Planted { readonly name?: string; readonly other?: string; readonly inner?: Planted }
export const plants = (x: string | undefined, base: Planted): Planted[] => [
  { ...(x !== undefined && { nme1: x }) },
  { ...(x === undefined ? {} : { nme2: x }) },
  { ...(x === undefined ? { other: '' } : { nme3: x }) },
  { ...base, ...(x && { nme4: x }) },
  { name: '', ...(x && base.name && { other: x, nme5: x }) },
  { inner: { ...(x && { nme6: x }) } },
  { ...(x && { inner: { ...(base.name && { nme7: x }) } }) },
  { ...(x && ({ nme8: x })) },
  { ...(x !== undefined && { name: x.trim() }), ...(base.name !== undefined && { other: base.name.trim() }) },
  { ...base, ...(x ? { name: x } : { other: '' }) },
];
export const plantedReturn = (x: string | undefined): Planted => ({ ...(x && { nme9: x }) });
export const plantedPromise = async (x: string | undefined): Promise<Planted> => ({ ...(x && { nme10: x }) });
export const plantedArgument = [''].map((x): Planted => ({ ...(x && { name: x, nme11: x }) }));
`;

test('the members of conditional parts are members of the type of their object', () => {
  const [first = ''] = sourceFiles.filter((file) => file.endsWith('.ts'));
  const texts = new Map(sourceFiles.map((file) => [file, readSource(file) + (file === first ? planted : '')]));
  const found = unknownConditionalMembers(texts);
  const plants = found.filter((line) => line.startsWith(`${first}: `) && line.includes("'nme"));
  expect(plants.map((line) => /'(nme\d+)'/u.exec(line)?.[1])).toEqual(
    Array.from({ length: 11 }, (_, at) => `nme${at + 1}`),
  );
  expect(found.filter((line) => !plants.includes(line))).toEqual([]);
});

test.each([
  ['({ ...(x && { a: 1 }) })', '({ a: (x) ? (1) : undefined! })'],
  ['({ b, ...(x ? { a } : {}) })', '({ b, a: (x) ? (a) : undefined! })'],
  ['({ ...(x ? y : { a }) })', '({ a: !(x) ? (a) : undefined! })'],
  ['({ ...(x && y && { a }) })', '({ a: (x && y) ? (a) : undefined! })'],
  ['({ ...c, ...(x && { a }) })', '({ a: (x) ? (a) : undefined! })'],
  ['f({ ...(x && { a: { ...(y && { b }) } }) })', 'f({ a: (x) ? ({ b: (y) ? (b) : undefined! }) : undefined! })'],
  ['({ ...c, a })', '({ ...c, a })'],
  ['({ ...(x && c) })', '({ ...(x && c) })'],
  ['[...(x ? [{ a }] : [])]', '[...(x ? [{ a }] : [])]'],
])('%s is checked as %s', (text, plain) => {
  expect(withPlainMembers('planted.ts', text)).toBe(plain);
});
