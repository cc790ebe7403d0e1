import { expect, test } from 'vitest';
import { readSource, sourceFiles } from './layers.ts';
import { parse, type Node } from './syntax.ts';

/** Lower it whenever type assertions went: each is a place where a wrong type is not found. */
const maxAssertions = 215;

const isConst = (type: Node): boolean =>
  type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';

test('the server has no more type assertions than before', () => {
  const found = sourceFiles.flatMap((file) =>
    parse(file, readSource(file)).nodes.filter(
      (node) => node.type === 'TSAsExpression' && !isConst(node.typeAnnotation),
    ),
  );
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThanOrEqual(maxAssertions);
});
