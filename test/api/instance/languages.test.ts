import { expect, test } from 'vitest';
import { startServer } from '../../server.ts';

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
  expect(await errorIn('fr, pt-BR')).toBe('Record not found');
  expect(await errorIn('*')).toBe('Record not found');
  const missing = await server.anonymous.get('/api/v1/nothing', german);
  expect([missing.status, missing.json.error]).toEqual([404, 'Nicht gefunden']);
});

test('the language of the account comes before that of the request', async () => {
  await using server = await startServer();
  const [anna, bob] = [await server.user('anna'), await server.user('bob')];
  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', anna.userId).execute();
  const english = { headers: { 'accept-language': 'en' } };
  expect((await anna.post('/api/v1/lists', { title: '' }, english)).json).toEqual({
    error: 'Ungültige Eingabe: Titel darf nicht leer sein',
  });
  expect((await bob.post('/api/v1/lists', { title: '' }, german)).json).toEqual({
    error: "Validation failed: Title can't be blank",
  });
});

test('details of fields are translated, their codes and the challenge in the header are not', async () => {
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
