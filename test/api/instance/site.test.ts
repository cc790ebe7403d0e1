import { expect, test } from 'vitest';
import {
  addRule,
  deleteRule,
  deleteRuleTranslation,
  editRule,
  translateRule,
} from '../../../server/site/rules/index.ts';
import { changeSiteSettings, type SiteSettingsChanges } from '../../../server/site/index.ts';
import { publishTermsOfService } from '../../../server/site/terms/index.ts';
import { Browser } from '../../browser.ts';
import { startServer } from '../../server.ts';

const terms = '/api/v1/instance/terms_of_service';

test('INS-01: each version of the terms of service applies from its effective date', async () => {
  await using server = await startServer();
  const { app } = server;
  const get = async (path: string) => (await server.anonymous.get(path)).json;
  const url = async () => (await get('/api/v2/instance')).configuration.urls.terms_of_service as string | null;
  const day = (offset: number) =>
    new Date(server.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);
  const [today, tomorrow] = [day(0), day(1)];
  expect([await url(), (await server.anonymous.get('/terms-of-service')).status]).toEqual([null, 404]);
  // The first version is shown before its effective date.
  await publishTermsOfService(app, 'system', { content: '<p>second</p>', effectiveDate: tomorrow });
  const second = { effective_date: tomorrow, effective: false, content: '<p>second</p>', succeeded_by: null };
  expect(await get(terms)).toEqual(second);
  const content = '<p onclick="x()">First</p><script>x</script>';
  expect(await publishTermsOfService(app, 'system', { content })).toBe(today);
  const first = { effective_date: today, effective: true, content: '<p>First</p>', succeeded_by: tomorrow };
  expect([await get(terms), await get(`${terms}/${today}`), await get(`${terms}/${tomorrow}`)]).toEqual([
    first,
    first,
    second,
  ]);
  expect((await server.anonymous.get(`${terms}/2001-01-01`)).status).toBe(404);
  expect(await url()).toBe('https://fieldfare.test/terms-of-service');
  expect((await server.anonymous.get('/terms-of-service')).text).toContain('<p>First</p>');
  expect((await server.anonymous.get('/about')).text).toContain('href="/terms-of-service"');
  expect((await server.anonymous.get('/auth/sign_up')).text).toContain('href="/terms-of-service"');
  server.clock.advance(86_400);
  expect(await get(terms)).toEqual({ ...second, effective: true });
});

test('terms of service need content and an effective date that is not in the past', async () => {
  await using server = await startServer();
  const publish = (content: string, effectiveDate?: string) =>
    publishTermsOfService(server.app, 'system', { content, effectiveDate });
  await expect(publish('<p>x</p>', '2001-01-01')).rejects.toThrow('Effective date must not be in the past');
  for (const date of ['tomorrow', '2999-02-30', '2999-1-1']) {
    await expect(publish('<p>x</p>', date), date).rejects.toThrow('Effective date is not a date');
  }
  await expect(publish(' <script>x</script> ')).rejects.toThrow("Content can't be blank");
  await expect(publish('x'.repeat(100_001))).rejects.toThrow('Content is too long');
});

test('INS-01: editing a rule changes only the given fields', async () => {
  await using server = await startServer();
  const { app } = server;
  const rules = async () =>
    ((await server.anonymous.get('/api/v1/instance/rules')).json as { text: string; hint: string }[]).map(
      ({ text, hint }) => [text, hint],
    );
  const kind = await addRule(app, 'system', { text: 'Be kind', hint: 'Really' });
  await addRule(app, 'system', { text: 'No spam' });
  await editRule(app, 'system', kind, { text: 'Be friendly' });
  expect(await rules()).toEqual([
    ['Be friendly', 'Really'],
    ['No spam', ''],
  ]);
  await editRule(app, 'system', kind, { hint: '', position: 5 });
  expect(await rules()).toEqual([
    ['No spam', ''],
    ['Be friendly', ''],
  ]);
  await expect(editRule(app, 'system', kind, { text: ' ' })).rejects.toThrow("Text can't be blank");
  await expect(editRule(app, 'system', '999', { text: 'x' })).rejects.toThrow('Record not found');
  await expect(editRule(app, 'system', 'first', { text: 'x' })).rejects.toThrow('Record not found');
  await deleteRule(app, 'system', kind);
  await expect(deleteRule(app, 'system', kind)).rejects.toThrow('Record not found');
  expect(await rules()).toEqual([['No spam', '']]);
});

test('INS-01: rules have translations', async () => {
  await using server = await startServer();
  const { app } = server;
  const id = await addRule(app, 'system', { text: 'Be kind', hint: 'Really' });
  const other = await addRule(app, 'system', { text: 'No spam' });
  const get = async (path: string) => (await server.anonymous.get(path)).json;
  const translate = (language: string, text: string, hint = '') =>
    translateRule(app, 'system', id, { language, text, hint });
  await translate('de', 'Sei nett', 'Wirklich');
  await translate('pt-BR', 'Seja gentil');
  await translate('de', ' Sei freundlich ', 'Wirklich');
  const translations = {
    de: { text: 'Sei freundlich', hint: 'Wirklich' },
    'pt-BR': { text: 'Seja gentil', hint: '' },
  };
  const rules = [
    { id, text: 'Be kind', hint: 'Really', translations },
    { id: other, text: 'No spam', hint: '', translations: {} },
  ];
  expect(await get('/api/v1/instance/rules')).toEqual(rules);
  expect((await get('/api/v2/instance')).rules).toEqual(rules);
  expect((await get('/api/v1/instance')).rules).toEqual(rules);
  const aboutPage = async (language: string) =>
    (await server.anonymous.get('/about', { headers: { 'accept-language': language } })).text;
  expect(await aboutPage('de-AT,de;q=0.9,en;q=0.8')).toContain('Sei freundlich');
  expect(await aboutPage('pt-BR')).toMatch(/<li lang="pt-BR">\s*Seja gentil\s*<\/li>\s*<li>\s*No spam/);
  expect(await aboutPage('pt')).toContain('Seja gentil');
  for (const language of ['en', 'en, pt-BR;q=0.9', 'fr', '*']) expect(await aboutPage(language)).toContain('Be kind');
  const alice = await server.user('alice');
  await server.db.updateTable('users').set({ locale: 'pt-BR' }).where('id', '=', alice.userId).execute();
  const browser = new Browser(server);
  browser.language = 'de';
  await browser.signIn('alice');
  await browser.open('/about');
  expect(browser.text).toContain('Seja gentil');
  await deleteRuleTranslation(app, 'system', id, 'de');
  await expect(deleteRuleTranslation(app, 'system', id, 'de')).rejects.toThrow('Record not found');
  expect((await get('/api/v1/instance/rules'))[0].translations).toEqual({ 'pt-BR': translations['pt-BR'] });
  await expect(translate('xx', 'x')).rejects.toThrow('Unknown language code: xx');
  await expect(translate('de', ' ')).rejects.toThrow("Text can't be blank");
  await expect(translate('de', 'x'.repeat(301))).rejects.toThrow('Text is too long');
  await deleteRule(app, 'system', other);
  for (const missing of [other, '999', 'first'])
    await expect(translateRule(app, 'system', missing, { language: 'de', text: 'x', hint: '' })).rejects.toThrow(
      'Record not found',
    );
});

test('an invalid setting is refused with a message that names it', async () => {
  await using server = await startServer();
  const refusal = (changes: SiteSettingsChanges) =>
    changeSiteSettings(server.app, 'system', changes).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  const invalid: [SiteSettingsChanges, string][] = [
    [{ contactEmail: 'nobody' }, 'Contact email is not an e-mail address'],
    [{ contactUsername: 'a b' }, 'Contact username is not a username'],
    [{ sourceUrl: 'ftp://x.test' }, 'Source URL is not an http or https address'],
    [{ languages: ['de', 'xx'] }, 'Languages contains an unknown language code: xx'],
    [{ registrations: 'maybe' as 'open' }, 'Registrations must be open, approval or closed'],
  ];
  for (const [changes, message] of invalid) expect(await refusal(changes)).toContain(message);
  expect(await refusal({ contactEmail: '', languages: ['de'] })).toBe('accepted');
  // Long texts are stored completely or refused, never truncated.
  const long = `<p>${'ä'.repeat(90_000)}</p>`;
  expect(await refusal({ privacyPolicy: long })).toBe('accepted');
  expect((await server.anonymous.get('/api/v1/instance/privacy_policy')).json.content).toBe(long);
  expect(await refusal({ privacyPolicy: 'x'.repeat(100_001) })).toContain(
    'Privacy policy is too long (maximum is 100000 characters)',
  );
});
