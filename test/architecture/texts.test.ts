import { expect, test } from 'vitest';
import { readFiles } from '../../bin/texts.mjs';
import { compileTexts } from '../../server/platform/i18n/compile-texts.ts';
import { readSource, sourceFiles } from './layers.ts';
import { parse, type Source } from './syntax.ts';
import { collectUsage, isHtmlTemplate, isUsed, literalTexts } from './texts.ts';

const sources = new Map(sourceFiles.map((file) => [file, parse(file, readSource(file))]));

/** The page of the API document is for developers. */
const forDevelopers = /^server\/platform\/documentation\//;

/** Pages, and all files that render HTML or compose mails. */
const isShown = ({ path, nodes }: Source): boolean =>
  path.startsWith('server/pages/') ||
  (!forDevelopers.test(path) &&
    nodes.some((node) => isHtmlTemplate(node) || (node.type === 'Identifier' && mailFunctions.has(node.name))));
const mailFunctions = new Set(['composeMail', 'sendStaffMail']);

/** Texts for other servers, for programs, and names that are the same in every language. */
const verbatimFiles: readonly string[] = [
  'server/auxiliary-services/incoming/answer-call.ts',
  'server/auxiliary-services/incoming/verify-provider.ts',
  'server/auxiliary-services/providers/register-provider.ts',
  'server/auxiliary-services/sharing/backfills.ts',
  'server/auxiliary-services/sharing/subscriptions.ts',
  'server/federation/inbox/accept-activity.ts',
  'server/federation/inbox/backlog.ts',
  'server/federation/inbox/receive-request.ts',
  'server/federation/keys/verify-request.ts',
  'server/federation/serving/signer.ts',
  'server/oauth/authorize/oauth-errors.ts',
  'server/pages/oauth/consent-routes.ts',
  'server/platform/http/request-context.ts',
  'server/platform/http/send-error.ts',
  'server/platform/i18n/field-label.ts',
  'server/site/change-site-settings.ts',
];

test('pages and mails contain no text, only keys of the catalogue', () => {
  const files = [...sources.values()].filter(isShown);
  expect(files.length).toBeGreaterThan(50);
  const findings = files.flatMap((source) =>
    literalTexts(source).map(({ line, text }) => `${source.path}:${line}: ${text}`),
  );
  expect(findings).toEqual([]);
});

test('every text is used', () => {
  const usage = collectUsage(sources.values());
  const keys = [...compileTexts([...readFiles('en', 'server').values()]).keys()];
  expect(keys.length).toBeGreaterThan(500);
  expect(keys.filter((key) => !isUsed(usage, key))).toEqual([]);
});

test('texts without translation are listed', () => {
  const files = [...sources.values()].filter(({ nodes }) =>
    nodes.some(
      (node) => node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'verbatim',
    ),
  );
  expect(files.map(({ path }) => path).toSorted()).toEqual(verbatimFiles);
});

const texts = (code: string): string[] => literalTexts(parse('planted.ts', code)).map(({ text }) => text);

test.each([
  ['html`<p>Sign in</p>`', ['Sign in']],
  ['html`<p>${t("pages.signIn")} now</p>`', ['… now']],
  ['html`<nav aria-label="Profile"></nav>`', ['Profile']],
  ['html`<img src="${url}" alt="A cat" />`', ['A cat']],
  ['html`${link} by you`', ['… by you']],
  ["renderPage(visitor, { title: 'Apps', body })", ['Apps']],
  ['field({ label: `Name of ${site}` })', ['Name of …']],
  ["notice('Your post was sent.', 'good')", ['Your post was sent.']],
  ["const texts = { done: 'It was changed.' };", ['It was changed.']],
])('%s contains a text', (code, found) => {
  expect(texts(code)).toEqual(found);
});

test.each([
  'html`<p class="soft small">${t("pages.signIn")} · ${count} %</p>`',
  'html` class="quiet"`',
  'html`id="${id}" name="${name}"${html` required`}`',
  "field({ label: t('auth.password'), autocomplete: 'new-password' })",
  "pageRoute('GET', '/', { summary: 'Home page of the server' })",
  "log.app.log.warn({ err }, 'an error page was sent')",
  "throw new Error('the page has no form')",
])('%s contains no text', (code) => {
  expect(texts(code)).toEqual([]);
});

test('a key that is written out or made by a template of known parts is used', () => {
  const usage = collectUsage([parse('planted.ts', "t('a.one'); t(`a.b${kind}`); const kinds = ['Two']; t(`a.${x}`)")]);
  expect(['a.one', 'a.bTwo', 'a.Two', 'a.bThree', 'a.four', 'b.one'].filter((key) => isUsed(usage, key))).toEqual([
    'a.one',
    'a.bTwo',
    'a.Two',
  ]);
});
