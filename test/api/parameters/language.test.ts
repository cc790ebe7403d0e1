import { expect, test } from 'vitest';
import { startServer } from '../../server.ts';

test('the parameter lang chooses the language of pages and errors, before the account and the browser', async () => {
  await using server = await startServer();
  const authorize = async (query: string, headers: Record<string, string> = {}) => {
    const { text } = await server.anonymous.get(`/oauth/authorize?response_type=code&client_id=unknown${query}`, {
      headers,
    });
    return /<html lang="([^"]+)"/.exec(text)?.[1];
  };
  expect(await authorize('')).toBe('en');
  expect(await authorize('&lang=de')).toBe('de');
  expect(await authorize('&lang=de-AT')).toBe('de');
  expect(await authorize('&lang=pt_BR')).toBe('pt');
  expect(await authorize('&lang=de', { 'accept-language': 'fr' })).toBe('de');
  // A language without texts counts as none.
  expect(await authorize('&lang=tlh', { 'accept-language': 'fr' })).toBe('fr');
  expect(await authorize('&lang=', { 'accept-language': 'fr' })).toBe('fr');
  expect(await authorize('&slang=de')).toBe('en');
});

test('the page to sign in keeps the language of the address to which it returns', async () => {
  await using server = await startServer();
  const { json: app } = await server.anonymous.post('/api/v1/apps', {
    client_name: 'App',
    redirect_uris: 'app://back',
  });
  const query = `response_type=code&client_id=${app.client_id}&redirect_uri=app://back&scope=read&lang=de`;
  const { headers } = await server.anonymous.get(`/oauth/authorize?${query}`);
  const page = await server.anonymous.get(String(headers['location']));
  expect(page.text).toContain('<html lang="de"');
});

test('lang chooses the language of errors of the API', async () => {
  await using server = await startServer();
  const anna = await server.user('anna');
  await server.db.updateTable('users').set({ locale: 'fr' }).where('id', '=', anna.userId).execute();
  const errorOf = async (query: string) => (await anna.post(`/api/v1/statuses${query}`, { status: '' })).json.error;
  const [own, german, unknown] = [await errorOf(''), await errorOf('?lang=de'), await errorOf('?lang=xx')];
  expect(german).not.toBe(own);
  expect(german).toMatch(/leer/);
  expect(unknown).toBe(own);
});
