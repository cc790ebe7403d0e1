import fc from 'fast-check';
import { parseAndCompact, FetchError } from '../../../server/federation/fetch/fetch-document.ts';
import { parseLrddTemplate } from '../../../server/federation/fetch/host-meta.ts';
import { parseRemoteHandle, parseWebfinger } from '../../../server/federation/fetch/webfinger.ts';
import { findNodeinfo, parseNodeinfo } from '../../../server/federation/hosts/crawl-domains.ts';
import { isActor, parseActor } from '../../../server/federation/documents/parse-actor.ts';
import { DocumentError, parseDocument, parseObject } from '../../../server/federation/documents/parse-document.ts';
import {
  isFeaturedCollection,
  parseFeaturedCollection,
} from '../../../server/federation/documents/parse-featured-collection.ts';
import { isNote, parseNote } from '../../../server/federation/documents/parse-note.ts';
import { idOf, typeOf, type Json } from '../../../server/federation/documents/values.ts';
import { activityKey, undoneKey } from '../../../server/federation/inbox/activity-key.ts';
import { parseActivityCollection } from '../../../server/federation/inbox/parse-activity-collection.ts';
import { assertContentDigest, assertDigest } from '../../../server/federation/signatures/digests.ts';
import { parseIntegrityProof } from '../../../server/federation/signatures/integrity-proof.ts';
import { parseSignature } from '../../../server/federation/signatures/parse-signature.ts';
import { SignatureError } from '../../../server/federation/signatures/signed-request.ts';
import { htmlToText, sanitizeArticle, sanitizeHtml } from '../../../server/text/index.ts';
import { mutatedDocument, textOfDocument, type MutatedDocument } from './mutate.ts';

/** A reader of what other servers send. */
export interface FuzzTarget<Input = unknown> {
  readonly name: string;
  /** Its part of all inputs. */
  readonly share: number;
  readonly input: fc.Arbitrary<Input>;
  /** Reads an input. Refusals are errors of `refusals`. */
  readonly read: (input: Input) => unknown;
}

/** The errors by which a reader refuses an input. Any other is a bug. */
export const refusals = [DocumentError, SignatureError, FetchError];

const now = new Date('2026-01-02T03:04:05Z');
const body = Buffer.from('{}');

const target = <Input>(value: FuzzTarget<Input>): FuzzTarget => value as FuzzTarget;

function readInbox(document: MutatedDocument): void {
  const activity = parseObject(textOfDocument(document));
  const items = parseActivityCollection(activity) ?? [parseDocument(JSON.stringify(activity))];
  for (const item of items) {
    readActivity(item);
    readObject(item);
    readObject(item['object']);
  }
}

function readActivity(activity: Json): void {
  const actorUri = idOf(activity['actor']) ?? '';
  const signer = { actorUri, domain: 'peer.test' } as Parameters<typeof activityKey>[1]['signer'];
  activityKey(activity, { actorUri, signer, inboxAccountId: undefined, body, signature: '' });
  undoneKey(activity, actorUri);
  typeOf(activity);
  parseIntegrityProof(activity, now);
}

function readObject(object: unknown): void {
  refuse(() => isNote(object) && parseNote(object));
  refuse(() => isActor(object) && parseActor(object));
  refuse(() => isFeaturedCollection(object) && parseFeaturedCollection(object));
}

/** Another reader may accept what one refuses. */
function refuse(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

export const isRefusal = (error: unknown): boolean => refusals.some((type) => error instanceof type);

/** Texts of pieces that a parser knows, in any order. */
const pieces = (...known: string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: fc.string({ maxLength: 9 }) },
      ),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join(''));

const signatureField = pieces(
  'keyId=',
  'algorithm=',
  'headers=',
  'signature=',
  'created=',
  'expires=',
  '"',
  ',',
  ' ',
  '=',
  ';',
  ':',
  '(',
  ')',
  '\\',
  '"https://peer.test/users/eve#main-key"',
  '"rsa-sha256"',
  '"hs2019"',
  '"(request-target) host date digest"',
  '"QUJD"',
  '1767323045',
  '"(created) (expires) host"',
  'sig1=',
  '("@method" "@target-uri" "content-digest")',
  ';created=1767323045',
  ';keyid="k"',
  ';alg="ed25519"',
  ':QUJD:',
  '99999999999999999999',
  '-1',
);

const html = pieces(
  '<p>',
  '</p>',
  '<a href="',
  '">',
  '</a>',
  '<img src=x alt="',
  '<table>',
  '<td colspan=9>',
  '</table>',
  '<h1>',
  '</h2>',
  '<figure>',
  '<figcaption>',
  '<li id="a">',
  '<a href="#a">',
  '<iframe src="',
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<svg>',
  '<math>',
  '<annotation>',
  '</math>',
  '&',
  '&#x0;',
  '&lt;',
  '<',
  '"',
  '<br/>',
  '<b',
  '\0',
  '\ud800',
  '<template>',
);

export const targets: readonly FuzzTarget[] = [
  target({ name: 'inbox', share: 0.4, input: mutatedDocument, read: readInbox }),
  target({
    name: 'json-ld',
    share: 0.02,
    input: mutatedDocument,
    read: async (document: MutatedDocument) => {
      const compact = await parseAndCompact(textOfDocument(document));
      readActivity(compact);
      readObject(compact['object']);
    },
  }),
  target({
    name: 'signature',
    share: 0.2,
    input: fc.record(
      {
        signature: signatureField,
        'signature-input': signatureField,
        date: fc.constantFrom(now.toUTCString(), 'x'),
        host: fc.constant('a.test'),
      },
      { requiredKeys: ['signature'] },
    ),
    read: (headers: Record<string, string>) =>
      parseSignature({ method: 'POST', url: '/inbox?x=1', headers, body, baseUrl: 'https://a.test', now }),
  }),
  target({
    name: 'digest',
    share: 0.1,
    input: pieces(
      'SHA-256=',
      'sha-512=',
      'sha-256=:',
      ':',
      ',',
      ' ',
      '=',
      'QUJD',
      'RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=',
    ),
    read: (field: string) => {
      refuse(() => assertDigest(field, body));
      refuse(() => assertContentDigest(field, body));
    },
  }),
  target({
    name: 'webfinger',
    share: 0.1,
    input: fc.record({
      text: fc.oneof(fc.json(), pieces('acct:', '@', 'eve', 'peer.test', '.', '%', '\u202e')),
      links: fc.jsonValue(),
    }),
    read: ({ text, links }: { text: string; links: unknown }) => {
      parseRemoteHandle(text);
      refuse(() => parseWebfinger({ subject: text, links }, 'acct:eve@peer.test'));
      refuse(() =>
        parseWebfinger({ subject: 'acct:eve@peer.test', links: [{ rel: 'self', type: text, href: text }] }, text),
      );
      parseLrddTemplate(Buffer.from(text));
      parseLrddTemplate(Buffer.from(`<XRD><Link rel="lrdd" template="${text}"/>${text}</XRD>`));
    },
  }),
  target({
    name: 'sanitizer',
    share: 0.1,
    input: html,
    read: (text: string) => {
      for (const clean of [sanitizeHtml(text), sanitizeArticle(text, 'https://peer.test/1').html]) {
        if (/<(?:script|iframe|img|svg|template)|=\s*"?javascript:/i.test(clean.replaceAll(/"[^"]*"/g, '"')))
          throw new Error(`unsafe: ${clean}`);
        htmlToText(clean);
      }
    },
  }),
  target({
    name: 'nodeinfo',
    share: 0.08,
    input: fc.jsonValue(),
    read: (value: unknown) => {
      findNodeinfo(value, 'peer.test');
      findNodeinfo({ links: value }, 'peer.test');
      parseNodeinfo(value);
      parseNodeinfo({ software: value, usage: { users: value, localPosts: value } });
    },
  }),
];
