import { expect, test } from 'vitest';
import { wantsActivity } from '../serving/negotiation.ts';
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
  ['', false],
  [undefined, false],
])('FED-01: %s is a type of ActivityStreams: %s', (type, expected) => {
  expect(isActivityType(type)).toBe(expected);
});

test.each([
  ['application/activity+json', true],
  [`application/ld+json; profile="${uri}"`, true],
  [`application/ld+json; profile="https://evil.test/${uri}", text/html;q=0.1`, false],
  [`text/html, application/ld+json; profile="a, application/activity+json"`, false],
  ['application/ld+json', true],
  ['text/html, application/activity+json;q=0.9', false],
  ['text/html;q=0.8, application/activity+json;q=0.9', true],
  ['text/html', false],
  ['*/*', false],
])('FED-01: a request that accepts %s asks for the document: %s', (accept, expected) => {
  expect(wantsActivity({ headers: { accept } })).toBe(expected);
});
