import { expect, test } from 'vitest';
import { approveSignUp } from '../../../server/moderation/index.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { Browser } from '../../browser.ts';
import { form, startServer } from '../../server.ts';

const german = { headers: { 'accept-language': 'de-DE, de;q=0.9, en;q=0.8' } };

test('an error is in the language that the client prefers, English without one', async () => {
  await using server = await startServer();
  const path = '/api/v1/statuses/1';
  const errorIn = async (language?: string) =>
    (await server.anonymous.get(path, { headers: language === undefined ? {} : { 'accept-language': language } })).json
      .error;
  expect(await errorIn()).toBe('Record not found');
  expect(await errorIn('de')).toBe('Eintrag nicht gefunden');
  expect(await errorIn('en;q=0.1, de;q=0.2')).toBe('Eintrag nicht gefunden');
  expect(await errorIn('sv, nl')).toBe('Record not found');
  expect(await errorIn('*')).toBe('Record not found');
  const missing = await server.anonymous.get('/api/v1/nothing', german);
  expect([missing.status, missing.json.error]).toEqual([404, 'Nicht gefunden']);
});

test('the language of the account comes before that of the request', async () => {
  await using server = await startServer();
  const [anna, bob] = [await server.user('anna'), await server.user('bob')];
  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', anna.userId).execute();
  const english = { headers: { 'accept-language': 'en' } };
  const details = (description: string) => ({ title: [{ error: 'ERR_BLANK', description }] });
  expect((await anna.post('/api/v1/lists', { title: '' }, english)).json).toEqual({
    error: 'Ungültige Eingabe: Titel darf nicht leer sein',
    details: details('darf nicht leer sein'),
  });
  expect((await bob.post('/api/v1/lists', { title: '' }, german)).json).toEqual({
    error: "Validation failed: Title can't be blank",
    details: details("can't be blank"),
  });
});

test('an invalid token and an unconfirmed account are named in the language of the reader, except in the challenge', async () => {
  await using server = await startServer();
  const anna = await server.user('anna', { confirmed: false });
  const token = await server.anonymous.get('/api/v1/accounts/verify_credentials', german);
  expect(token.json.error).toBe('Das Zugriffstoken ist ungültig');
  expect(token.headers['www-authenticate']).toContain('The access token is invalid');
  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', anna.userId).execute();
  expect((await anna.get('/api/v1/accounts/verify_credentials')).json.error).toBe(
    'Deine E-Mail-Adresse ist noch nicht bestätigt',
  );
});

test('descriptions of OAuth errors are English', async () => {
  await using server = await startServer();
  const token = await server.anonymous.post('/oauth/token', form({ grant_type: 'password' }), german);
  expect(token.json.error).toBe('invalid_client');
  expect(token.json.error_description).toMatch(/^Client authentication failed/);
});

test('errors of inboxes are English', async () => {
  await using server = await startServer();
  const send = async (path: string, body: Parameters<typeof server.anonymous.post>[1]) => {
    const headers = { ...german.headers, 'content-type': 'application/activity+json' };
    const { status, json } = await server.anonymous.post(path, body, { headers });
    return [status, json.error];
  };
  const activity = {
    type: 'Follow',
    id: 'https://peer.test/1',
    actor: 'https://peer.test/fan',
    object: 'https://x.test',
  };
  expect(await send('/inbox', activity)).toEqual([401, 'Request not signed']);
  expect(await send('/users/nobody/inbox', activity)).toEqual([404, 'Record not found']);
  const large = { ...activity, content: 'x'.repeat(1_100_000) };
  expect(await send('/inbox', large)).toEqual([413, 'The request is too large']);
});

test('pages are in the language of the browser, and errors of forms with them', async () => {
  await using server = await startServer();
  const browser = new Browser(server);
  browser.language = 'de';
  await browser.open('/auth/sign_in');
  expect(browser.text).toContain('<html lang="de" dir="ltr"');
  expect(browser.text).toContain('<label for="password">Passwort</label>');
  await browser.signIn('nobody');
  expect(browser.text).toContain('E-Mail-Adresse, Profilname oder Passwort ist falsch.');
  await browser.open('/nowhere');
  expect([browser.status, /<h1>(.*)<\/h1>/.exec(browser.text)?.[1]]).toEqual([404, 'Seite nicht gefunden']);
  browser.language = 'sv';
  await browser.open('/auth/sign_in');
  expect(browser.text).toContain('<html lang="en" dir="ltr"');
});

test('a sign-up stores the language, in which the mail and later errors are', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const browser = new Browser(server);
  browser.language = 'de';
  await browser.open('/auth/sign_up');
  server.clock.advance(5);
  await browser.submit('/auth/sign_up', { username: 'anna', email: 'anna@mail.test', password: 'x', agreement: '1' });
  expect(browser.text).toContain('Passwort ist zu kurz (mindestens 8 Zeichen)');
  const fields = { username: 'anna', email: 'anna@mail.test', password: 'correct horse battery', agreement: '1' };
  await browser.submit('/auth/sign_up', fields);
  await server.drain();
  const mail = server.outbox.at(-1);
  expect(mail?.subject).toMatch(/^Bestätige deine E-Mail-Adresse für /);
  expect(mail?.text).toContain('Hallo anna,');
  expect(mail?.html).toContain('<html lang="de" dir="ltr"');
  browser.language = 'en';
  await browser.open('/auth/setup');
  expect(browser.text).toContain('Schau in dein Postfach');
});

test('REG-01: an app that names no language signs up with that of its request', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const app = await server.appToken('write:accounts');
  const signUp = (username: string, fields: object) =>
    app.post(
      '/api/v1/accounts',
      { username, email: `${username}@mail.test`, password: 'correct horse', agreement: true, ...fields },
      german,
    );
  const invalid = await signUp('', {});
  expect(invalid.json).toEqual({
    error: 'Ungültige Eingabe: Profilname darf nicht leer sein, E-Mail-Adresse ist keine gültige E-Mail-Adresse',
    details: {
      username: [{ error: 'ERR_BLANK', description: 'darf nicht leer sein' }],
      email: [{ error: 'ERR_INVALID', description: 'ist keine gültige E-Mail-Adresse' }],
    },
  });
  await signUp('anna', {});
  await signUp('emma', { locale: 'en' });
  const users = await server.db.selectFrom('users').select(['email', 'locale']).orderBy('email').execute();
  expect(users.map(({ email, locale }) => [email, locale])).toEqual([
    ['anna@mail.test', 'de'],
    ['emma@mail.test', 'en'],
  ]);
});

test.each([
  ['de_DE', 'de'],
  ['zh_tw', 'zh-TW'],
  ['fr', 'fr'],
  ['', 'de'],
  ['klingon', 'de'],
  ['../de', 'de'],
])('REG-01: the locale %j of a sign-up with German as its Accept-Language is stored as %s', async (locale, stored) => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const app = await server.appToken('write:accounts');
  const fields = { username: 'anna', email: 'anna@mail.test', password: 'correct horse', agreement: true, locale };
  expect((await app.post('/api/v1/accounts', fields, german)).status).toBe(200);
  expect(await server.db.selectFrom('users').select('locale').execute()).toEqual([{ locale: stored }]);
});

test('the default language of the site is that of pages without a preference, embedded posts and feeds', async () => {
  await using server = await startServer();
  await changeSiteSettings(server.app, 'system', { defaultLanguage: 'de' });
  const alice = await server.user('alice');
  const { id } = (await alice.post('/api/v1/statuses', { status: 'Hello', spoiler_text: 'cw' })).json;
  const browser = new Browser(server);
  const languageOf = async (path: string, accepted: string) => {
    browser.language = accepted;
    await browser.open(path);
    return /<html lang="(\w+)"/.exec(browser.text)?.[1];
  };
  expect(await languageOf('/about', 'sv')).toBe('de');
  expect(await languageOf('/about', 'en')).toBe('en');
  expect(await languageOf(`/@alice/${id}/embed`, 'en')).toBe('de');
  expect((await server.anonymous.get('/@alice.rss')).text).toContain('Inhaltswarnung');
  expect(JSON.parse((await server.anonymous.get('/manifest')).text).lang).toBe('de');
  // Apps compare the texts of errors.
  expect((await server.anonymous.get('/api/v1/statuses/1')).json.error).toBe('Record not found');
});

test('REG-01: the default language of the site is that of new users and of mails to users without texts', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  await expect(changeSiteSettings(server.app, 'system', { defaultLanguage: 'sv' as 'de' })).rejects.toThrow(
    'must be one of en, ar, de, es, fr, ja, pt',
  );
  await changeSiteSettings(server.app, 'system', { defaultLanguage: 'de' });
  const app = await server.appToken('write:accounts');
  const fields = { email: 'anna@mail.test', password: 'correct horse', agreement: true };
  await app.post('/api/v1/accounts', { ...fields, username: 'anna' });
  await app.post('/api/v1/accounts', { ...fields, username: 'svea', email: 'svea@mail.test', locale: 'sv' });
  const users = await server.db.selectFrom('users').select('locale').orderBy('email').execute();
  expect(users).toEqual([{ locale: 'de' }, { locale: 'sv' }]);
  await server.drain();
  expect(server.outbox.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Bestätige deine E-Mail-Adresse für /),
    expect.stringMatching(/^Bestätige deine E-Mail-Adresse für /),
  ]);
});

test('the language of an account is changed in its settings, at once for its tokens', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const errorOf = async () => (await alice.get('/api/v1/statuses/1')).json.error;
  expect(await errorOf()).toBe('Record not found');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/edit');
  expect(browser.text).toContain('<option value="de" lang="de" >Deutsch</option>');
  await browser.submit('/auth/edit/language', { locale: 'de' });
  expect(browser.text).toContain('Die Sprache wurde geändert.');
  expect(await errorOf()).toBe('Eintrag nicht gefunden');
  await browser.submit('/auth/edit/language', { locale: 'xx' });
  expect([browser.status, browser.text.includes('Das hat nicht geklappt')]).toEqual([422, true]);
  expect(await errorOf()).toBe('Eintrag nicht gefunden');
});

test('a decision of staff is mailed in the language of the account', async () => {
  await using server = await startServer();
  const anna = await server.user('anna', { approved: false });
  await server.db.updateTable('users').set({ locale: 'de-AT' }).where('id', '=', anna.userId).execute();
  await approveSignUp(server.app, 'system', { accountId: anna.id });
  await server.drain();
  expect(server.outbox.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Dein Konto auf .* ist freigegeben$/),
  ]);
});
