import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type * as messages from './message.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('a text that a language lacks, or has as an empty text, is in English', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'fieldfare-locales-'));
  try {
    for (const folder of ['locales/en', 'locales/de', 'server/platform/i18n'])
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const file = join(copy, 'locales/de/server/errors.json');
    const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
    delete texts['http']?.['missingParameter'];
    writeFileSync(file, JSON.stringify({ ...texts, problems: { ...texts['problems'], blank: '' } }));

    const module = pathToFileURL(join(copy, 'server/platform/i18n/message.ts')).href;
    const { message } = (await import(module)) as typeof messages;
    expect(message('http.missingParameter', { name: 'id' }).render('de')).toBe(
      'param is missing or the value is empty: id',
    );
    expect(message('problems.blank').render('de')).toBe("can't be blank");
    expect(message('http.forbidden').render('de')).not.toBe(message('http.forbidden').render('en'));
  } finally {
    rmSync(copy, { recursive: true });
  }
});
