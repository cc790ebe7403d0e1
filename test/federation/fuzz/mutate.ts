import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

const folder = join(import.meta.dirname, '..', 'corpus');

/** Documents of other software, written after their formats. */
export const corpus: readonly JsonValue[] = readdirSync(folder)
  .toSorted()
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonValue[]);

/** A document of the corpus with changes. It is data, so that fast-check can shrink it and a file can hold it. */
export interface MutatedDocument {
  /** Index in the corpus. */
  readonly document: number;
  readonly mutations: readonly Mutation[];
}

interface Mutation {
  /** Which value of the document is replaced. */
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'wrap' | 'copy';
  readonly value: unknown;
}

/** Values that break readers that trust types, lengths or formats. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    [],
    {},
    [[]],
    [null, {}],
    { id: {} },
    { type: [] },
    { type: 'Create', object: { type: 'Create', object: null } },
    { '@graph': [] },
    { '@context': { '@vocab': 'x' } },
    JSON.parse('{"__proto__":{"id":"x"},"constructor":1,"toString":2}') as unknown,
    'https://',
    'http://[::1',
    'https://peer.test:99999/',
    'https://user:pass@peer.test/',
    'HTTPS://PEER.TEST./\u202e',
    'javascript:alert(1)',
    'data:,x',
    `https://peer.test/${'a'.repeat(3000)}`,
    'as:Public',
    '9999-99-99T99:99:99Z',
    '-271821-04-20T00:00:00.000Z',
    'PT9999999999999S',
    '<p><script>x</script><img src=x onerror=y><a href="#',
    '<table>'.repeat(200),
    'x'.repeat(70_000),
  ),
  fc.string({ maxLength: 20 }),
  fc.double(),
);

export const mutatedDocument: fc.Arbitrary<MutatedDocument> = fc.record({
  document: fc.nat(corpus.length - 1),
  mutations: fc.array(
    fc.record({ at: fc.nat(400), kind: fc.constantFrom('replace', 'remove', 'wrap', 'copy'), value: oddValue }),
    { maxLength: 6 },
  ),
});

/** Returns the text of a mutated document. */
export function textOfDocument({ document, mutations }: MutatedDocument): string {
  const root = { value: structuredClone(corpus[document] ?? null) };
  for (const mutation of mutations) mutate(root, mutation);
  return JSON.stringify(root.value ?? null);
}

function mutate(root: { value: JsonValue }, { at, kind, value }: Mutation): void {
  const places = listPlaces(root);
  const place = places[at % places.length];
  if (place === undefined) return;
  const { parent, key } = place;
  const current = Reflect.get(parent, key) as JsonValue;
  // Later mutations must not reach the value of this one.
  const added = structuredClone(value);
  if (kind === 'remove') Reflect.deleteProperty(parent, key);
  else if (kind === 'wrap') Reflect.set(parent, key, [current, added]);
  else if (kind === 'copy') Reflect.set(parent, key, structuredClone(root.value));
  else Reflect.set(parent, key, added);
}

/** Returns every member and element of a document, breadth first. */
function listPlaces(root: object): { readonly parent: object; readonly key: string }[] {
  const places: { parent: object; key: string }[] = [];
  const waiting: object[] = [root];
  for (let parent = waiting.shift(); parent !== undefined && places.length < 400; parent = waiting.shift()) {
    for (const [key, value] of Object.entries(parent)) {
      places.push({ parent, key });
      if (typeof value === 'object' && value !== null) waiting.push(value as object);
    }
  }
  return places;
}
