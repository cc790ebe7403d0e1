import { expect, test } from 'vitest';
import { isActivityType } from './media-type.ts';

const uri = 'https://www.w3.org/ns/activitystreams';

test.each([
  ['application/activity+json', true],
  ['Application/Activity+JSON; charset=utf-8', true],
  [`application/ld+json; profile="${uri}"`, true],
  [`application/ld+json;profile=${uri}`, true],
  [`application/ld+json; charset=utf-8; Profile="http://example.test/a ${uri}"`, true],
  [`application/ld+json; profile="https://evil.test/${uri}"`, false],
  [`application/ld+json; profile="https://evil.test/#${uri}"`, false],
  [`application/ld+json; profile="${uri}evil"`, false],
  [`application/ld+json; profile="${uri}/evil"`, false],
  [`application/ld+json; profile="a;profile=${uri}"`, false],
  [`application/ld+json; x="; profile=${uri}"`, false],
  [`application/ld+json; x="\\"; profile=${uri}; y=\\""`, false],
  [`application/ld+json; profile="x"; profile="${uri}"`, false],
  [`application/json; profile="${uri}"`, false],
  ['application/ld+json', false],
  ['application/activity+jsonx', false],
  ['text/html', false],
  [`application/ld+json; profile="${uri}`, false],
  ['application/activity+json; charset="utf-8', true],
  [';', false],
  ['', false],
  [undefined, false],
])('FED-01: %s is an ActivityStreams type: %s', (type, expected) => {
  expect(isActivityType(type)).toBe(expected);
});
