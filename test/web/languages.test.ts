import { expect, test } from 'vitest';
import { readFiles } from '../../bin/texts.mjs';
import { compileTexts } from '../../server/platform/i18n/compile-texts.ts';
import { describeWithServer, followLink } from './web-server.ts';

/** `domain.name` of every text of the client. */
const keys = [...compileTexts([...readFiles('en', 'client').values()]).keys()];
const paths = ['/', '/publish', '/notifications', '/explore', '/preferences', '/preferences/data', '/moderation'];

describeWithServer('languages', (server) => {
  test.each([
    ['de', 'Startseite'],
    ['es', 'Inicio'],
    ['fr', 'Accueil'],
    ['ja', 'ホーム'],
    ['pt', 'Início'],
    ['ar', 'الرئيسية'],
  ])('every page opens in %s, without a key in place of a text, and fits a narrow phone', async (language, home) => {
    const reader = await server.createUser(`reader_${language}`, 'owner');
    await reader.rest.v1.statuses.create({ status: 'Fieldfares in the garden' });
    await reader.send('PATCH', '/api/v1/fieldfare/preferences', { locale: language });
    const page = await server.openClient(reader, '/', { size: 'phone' });
    await page.getByRole('heading', { name: home, exact: true }).first().waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await page.setViewportSize({ width: 320, height: 700 });
    for (const path of paths) {
      if (path !== '/') await followLink(page, path);
      const text = await page.locator('body').innerText();
      expect(
        keys.filter((key) => text.includes(key)),
        path,
      ).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        path,
      ).toBeLessThanOrEqual(0);
    }
  });

  test.each([
    {
      language: 'de',
      word: 'rotes_h',
      search: 'katzengesicht',
      found: 'Katzengesicht',
      labels: { text: 'Text', button: 'Emoji einfügen', search: 'Emojis suchen' },
    },
    {
      language: 'ar',
      word: 'red_hea',
      search: 'وجه قط',
      found: 'وجه قطة',
      labels: { text: 'النص', button: 'إضافة إيموجي', search: 'البحث عن إيموجي' },
    },
  ])(
    'emojis are found by their names in $language, and in English',
    async ({ language, word, search, found, labels }) => {
      const writer = await server.createUser(`writer_${language}`);
      await writer.send('PATCH', '/api/v1/fieldfare/preferences', { locale: language });
      const page = await server.openClient(writer, '/publish');
      const text = page.getByRole('textbox', { name: labels.text, exact: true });
      await text.pressSequentially(`:${word}`);
      await page.getByRole('option').first().waitFor();
      await text.press('Tab');
      await expect.poll(() => text.inputValue()).toBe('❤️ ');
      await page.getByRole('button', { name: labels.button, exact: true }).click();
      await page.getByRole('searchbox', { name: labels.search }).fill(search);
      await page.getByRole('button', { name: found, exact: true }).click();
      await expect.poll(() => text.inputValue()).toBe('❤️ 🐱');
    },
  );
});
