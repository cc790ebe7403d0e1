import { expect, test } from 'vitest';
import { parseLrddTemplate } from './host-meta.ts';

const template = 'https://social.example.test/finger?a=1&resource={uri}';
const xrd = (link: string, before = '') =>
  `<?xml version="1.0"?>${before}<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">${link}</XRD>`;

test.each([
  [
    xrd(`<Link rel="other" template="x{uri}"/><Link rel="lrdd" template="${template.replace('&', '&amp;')}"/>`),
    template,
  ],
  [xrd(`<x:Link template='https://a.test/{uri}' rel='lrdd'></x:Link>`), 'https://a.test/{uri}'],
  [
    JSON.stringify({
      links: [
        { rel: 'self', href: 'x' },
        { rel: 'lrdd', template },
      ],
    }),
    template,
  ],
  [xrd('<Link rel="lrdd" template="https://a.test/none"/>'), undefined],
  [xrd('<Link rel="lrdd" template="https://&e;/{uri}"/>', '<!DOCTYPE x [<!ENTITY e "evil.test">]>'), undefined],
  [xrd('<!-- <Link rel="lrdd" template="https://evil.test/{uri}"/> -->'), undefined],
  [xrd('<![CDATA[<Link rel="lrdd" template="https://evil.test/{uri}"/>]]>'), undefined],
  ['{"links":{"rel":"lrdd"}}', undefined],
  ['{"links"', undefined],
  ['<html><body>Not found</body></html>', undefined],
  ['', undefined],
])('FED-01: the WebFinger template is found in a host-meta document: %s', (text, expected) => {
  expect(parseLrddTemplate(Buffer.from(text))).toBe(expected);
});
