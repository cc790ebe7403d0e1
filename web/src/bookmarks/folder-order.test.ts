import { expect, test } from 'vitest';
import { withFolder, withoutFolder } from './folder-order.ts';

const recipes = { id: '1', name: 'Recipes', position: 0 };
const birds = { id: '2', name: 'Birds', position: 1 };
const later = { id: '3', name: 'Later', position: 2 };

test('a new folder comes last, and one that was deleted returns to its place', () => {
  expect(withFolder([recipes, birds], later)).toEqual([recipes, birds, later]);
  expect(withFolder([recipes, later], birds)).toEqual([recipes, birds, later]);
});

test('a renamed folder stays in its place', () => {
  const renamed = { ...recipes, name: 'Baking' };
  expect(withFolder([recipes, birds], renamed)).toEqual([renamed, birds]);
});

test('only the folder with the id is removed', () => {
  expect(withoutFolder([recipes, birds, later], '2')).toEqual([recipes, later]);
  expect(withoutFolder([recipes], '9')).toEqual([recipes]);
});
