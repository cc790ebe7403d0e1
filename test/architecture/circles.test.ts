import { globSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { readSource, sourceFiles } from './layers.ts';
import { parse } from './syntax.ts';

const webFiles = globSync('web/src/**/*.{ts,tsx}').filter((path) => !/\.test\.tsx?$/.test(path));

/** Files of the server and of the web client with what they import, types included. */
const imports = new Map([...sourceFiles, ...webFiles].map((path) => [path, importsOf(path)]));

function importsOf(path: string): string[] {
  return parse(path, readSource(path)).program.body.flatMap((node) => {
    const source =
      'source' in node && node.source !== null && typeof node.source === 'object' ? node.source : undefined;
    return source !== undefined && source.value.startsWith('.') ? [join(dirname(path), source.value)] : [];
  });
}

/** Returns all files that can be reached from a file. */
function reachableFrom(path: string): Set<string> {
  const found = new Set<string>();
  const open = [path];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const next of imports.get(file) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

/** The largest number of files that can import each other, types included: who reads one must know all. */
const maxCircle = 5;

test(`no more than ${maxCircle} files import each other in a circle`, () => {
  const reachable = new Map([...imports.keys()].map((path) => [path, reachableFrom(path)]));
  const circles = [...reachable].map(([path, reached]) =>
    [...reached].filter((other) => reachable.get(other)?.has(path)).toSorted(),
  );
  expect(circles.filter((circle) => circle.length > 0).length).toBeGreaterThan(0);
  expect(circles.filter((circle) => circle.length > maxCircle)).toEqual([]);
});
