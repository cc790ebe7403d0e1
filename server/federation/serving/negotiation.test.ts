import { expect, test } from 'vitest';
import { wantsActivity } from './negotiation.ts';

const uri = 'https://www.w3.org/ns/activitystreams';

test.each([
  ['application/activity+json', true],
  ['Application/Activity+JSON; charset=utf-8', true],
  [`application/ld+json; profile="${uri}"`, true],
  [`application/ld+json;profile=${uri}`, true],
  [`application/ld+json; charset=utf-8; profile="http://example.test/a ${uri}"`, true],
  [`application/ld+json; profile="https://evil.test/${uri}", text/html;q=0.1`, false],
  [`text/html, application/ld+json; profile="a, application/activity+json"`, false],
  ['application/ld+json', true],
  ['application/json', true],
  [`application/activity+json, application/ld+json; profile="${uri}", text/html;q=0.1`, true],
  ['text/html, application/activity+json', true],
  ['text/html, application/activity+json;q=0.9', false],
  ['application/xhtml+xml, application/activity+json;q=0.9', false],
  ['text/html;q=0.8, application/activity+json;q=0.9', true],
  ['text/html;q=0.8, application/activity+json; Q = "0.7"', false],
  ['text/html;q=0.9, application/activity+json;q=high', true],
  ['application/activity+json;q=0', false],
  ['application/activity+json;q=0.000, */*', false],
  ['application/activity+json;q=0.2, application/ld+json;q=0.9, text/html;q=0.5', true],
  [' , ,application/activity+json,', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['text/html', false],
  ['application/*', false],
  ['*/*', false],
  ['activity', false],
  ['', false],
  [undefined, false],
])('FED-01: a request that accepts %s asks for the document: %s', (accept, expected) => {
  expect(wantsActivity({ headers: { accept } })).toBe(expected);
});
