import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles } from '../../bin/texts.mjs';
import { compileTexts } from '../../server/platform/i18n/compile-texts.ts';
import { readSource, sourceFiles } from './layers.ts';
import { parse } from './syntax.ts';
import { collectUsage, isUsed } from './texts.ts';
import { literalTextsOfCode, literalTextsOfJsx } from './web-texts.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => parse(file, readFileSync(join(root, file), 'utf8')));

test('every text of the web client is used', () => {
  // The types of the client, such as states that are a part of keys, come from the schemas of the server.
  const schemas = sourceFiles.filter((file) => file.endsWith('/schema.ts'));
  const usage = collectUsage([...sources, ...schemas.map((file) => parse(file, readSource(file)))]);
  const keys = [...compileTexts([...readFiles('en', 'client').values()]).keys()];
  expect(keys.length).toBeGreaterThan(1000);
  expect(keys.filter((key) => !isUsed(usage, key))).toEqual([]);
});

test('code shows no text, only keys of the catalogue', () => {
  const findings = sources.flatMap((source) =>
    literalTextsOfCode(source).map(({ line, text }) => `${source.path}:${line}: ${text}`),
  );
  expect(findings).toEqual([]);
});

test('components contain no text, only keys of the catalogue', () => {
  const findings = sources.flatMap((source) =>
    literalTextsOfJsx(source).map(({ line, text }) => `${source.path}:${line}: ${text}`),
  );
  expect(findings).toEqual([]);
});

test.each([
  ['<p>Sign in</p>', ['Sign in']],
  ['<img alt="A cat" />', ['A cat']],
  ['<p>{isOpen ? "Open" : t("app.close")}</p>', ['Open']],
  ['<p title={t("app.close")}>{count} · {name}</p>', []],
  ['<Dialog size="small">{t("app.close")}</Dialog>', []],
])('%s contains %j', (code, texts) => {
  expect(literalTextsOfJsx(parse('planted.tsx', `const a = ${code};`)).map(({ text }) => text)).toEqual(texts);
});

test.each([
  ["showError(new ExplainedError('the file is too large'));", ['the file is too large']],
  ["showError('Failed');", ['Failed']],
  ["const text = 'sent'; showToast(text);", ['sent']],
  ["showToast(isSent ? 'Sent' : t('composer.queued'));", ['Sent']],
  ["showToast(t('composer.sent'), { kind: 'info', action: { label: 'Undo', run } });", ['Undo']],
  ["confirm({ title: t('app.sure'), text: `Delete ${name}?` });", ['Delete …?']],
  ["const problemOf = () => 'The file is too large'; showError(problemOf());", ['The file is too large']],
  ["problem.value = 'Something went wrong';", ['Something went wrong']],
  ["throw new Error('no session is loaded');", []],
  ["showError(error, () => void load('statuses'));", []],
  ["showToast(t('app.saved'));", []],
  ["const row = isOpen ? 'row is-open' : 'row';", []],
])('in code, %s shows %j', (code, texts) => {
  expect(literalTextsOfCode(parse('planted.ts', code)).map(({ text }) => text)).toEqual(texts);
});
