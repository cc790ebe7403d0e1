import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeHtml } from '../text/index.ts';
import { protectShortcodes, plainTextToHtml, sanitizeTranslation, htmlToPlainText } from './translation-markup.ts';

const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'<p>|</p>|<a href="https://x.test/" class="mention">|<a href="https://y.test/">|<a href="javascript:x">|</a>|<script>|</script>|<img src=x onerror=y>|<span translate="no">|</span>|:wave:|<br>|<|&lt;'.split(
          '|',
        ),
      ),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));

test('STA-21: a translation is safe and has only links of the original, whatever the service returns', () => {
  fc.assert(
    fc.property(markup, markup, (original, translated) => {
      const shown = sanitizeTranslation(sanitizeHtml(original), translated);
      expect(sanitizeHtml(shown)).toBe(shown);
      const originalHtml = sanitizeHtml(original);
      for (const [link] of shown.matchAll(/href="[^"]*"/g)) expect(originalHtml).toContain(link);
    }),
  );
});

test('STA-21: a text that the service leaves unchanged is returned unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '<b>', '&', '&amp;', ':wave:', ' x', 'é', '"'), { minLength: 1 }),
      (parts) => {
        const text = parts.join('').trim();
        expect(htmlToPlainText(plainTextToHtml(text))).toBe(text);
        const html = sanitizeHtml(`<p>${plainTextToHtml(text)}</p>`).replaceAll(/<\/?span[^>]*>/g, '');
        expect(sanitizeTranslation(html, protectShortcodes(html))).toBe(html);
      },
    ),
  );
});
