import { expect, test } from 'vitest';
import { startServer } from '../../server.ts';

const hostileText = 'a\0b\ud800c';

/** Returns requests with this text in every parameter that accepts free text. */
const requests = (text: string) => {
  const word = encodeURIComponent(text.toWellFormed());
  return [
    ['GET', `/api/v2/search?q=${word}&type=statuses`],
    ['GET', `/api/v2/search?q=%23${word}&resolve=true`],
    ['GET', `/api/v2/search?q=https%3A%2F%2Ffar.test%2F${word}&resolve=true`],
    ['GET', `/api/v2/search?q=%40${word}%40far.test&resolve=true`],
    ['GET', `/api/v1/accounts/search?q=${word}`],
    ['GET', `/api/v1/accounts/lookup?acct=${word}`],
    ['GET', `/api/v1/tags/${word}`],
    ['GET', `/api/v1/timelines/tag/${word}?any[]=${word}`],
    ['GET', `/api/v1/timelines/home?max_id=${word}`],
    ['GET', `/api/v1/accounts/${word}`],
    ['GET', `/.well-known/webfinger?resource=acct:${word}@a.test`],
    ['GET', `/users/${word}`],
    ['GET', `/@${word}`],
    ['GET', `/@${word}.rss`],
    ['GET', `/@alice/tagged/${word}.rss`],
    ['GET', `/tags/${word}.rss`],
    ['GET', `/intent?uri=web%2Bmastodon://share?text=${word}`],
    ['GET', `/api/oembed?url=${word}`],
    ['GET', `/media/${word}/player`],
    ['GET', `/invite/${word}`],
    ['GET', `/api/v1/instance?access_token=${word}`],
    [
      'POST',
      '/api/v1/statuses',
      {
        status: `x ${text}`,
        spoiler_text: text,
        language: text,
        poll: { options: [`1${text}`, `2${text}`], expires_in: 600 },
      },
    ],
    ['POST', '/api/v1/statuses', { status: text, scheduled_at: text }],
    ['POST', '/api/v1/lists', { title: text, [text]: text }],
    ['POST', '/api/v2/filters', { title: text, context: ['home'], keywords_attributes: [{ keyword: text }] }],
    ['POST', '/api/v1/filters', { phrase: text, context: [text], expires_in: text }],
    ['POST', '/api/v1/markers', { home: { last_read_id: text }, [text]: { last_read_id: '1' } }],
    [
      'POST',
      '/api/v1/apps',
      { client_name: text, redirect_uris: `https://x.test/${text}`, website: text, scopes: text },
    ],
    ['POST', '/api/v1/fieldfare/webhooks', { url: `https://hooks.test/${text}`, events: ['status.created'] }],
    ['POST', '/api/v1/fieldfare/webhooks', { url: text, events: [text] }],
    ['POST', '/oauth/device_authorization', { client_id: text, client_secret: text, scope: text }],
    ['GET', `/device?user_code=${word}`],
    ['POST', '/api/v1/featured_tags', { name: text }],
    ['POST', '/api/v1/domain_blocks', { domain: text }],
    [
      'PATCH',
      '/api/v1/accounts/update_credentials',
      { display_name: text, note: text, fields_attributes: [{ name: text, value: text }] },
    ],
    [
      'POST',
      '/oauth/token',
      { grant_type: 'authorization_code', client_id: text, client_secret: text, code: text, redirect_uri: text },
    ],
  ] as const;
};

test('parameters with NUL or a lone surrogate never cause a server error', async () => {
  await using server = await startServer({ domain: 'a.test' });
  const alice = await server.user('alice');
  const headers = { authorization: `Bearer ${await server.token(alice.userId, 'read write follow')}` };
  const failed: string[] = [];
  for (const text of [hostileText, '\0', '\ud83d', '#\0']) {
    for (const [method, url, payload] of requests(text)) {
      const body = payload === undefined ? {} : { payload: JSON.stringify(payload) };
      const response = await server.http.inject({
        method,
        url,
        ...body,
        headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
      });
      if (response.statusCode >= 500 && response.statusCode !== 503)
        failed.push(`${response.statusCode} ${method} ${url} ${response.body}`);
    }
  }
  expect(failed).toEqual([]);
});

test('client credentials with NUL are 401, and a file with NUL in its name does not cause a server error', async () => {
  await using server = await startServer({ domain: 'a.test' });
  const alice = await server.user('alice');
  for (const credentials of ['\0:\0', '%00:secret']) {
    const response = await server.http.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      payload: { grant_type: 'client_credentials' },
    });
    expect(response.statusCode).toBe(401);
  }
  const boundary = 'boundary';
  const parts = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a\0.png"\r\ncontent-type: image/png\r\n\r\nx\r\n--${boundary}--\r\n`;
  const response = await server.http.inject({
    method: 'POST',
    url: '/api/v2/media',
    headers: {
      authorization: `Bearer ${await server.token(alice.userId, 'write')}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: parts,
  });
  expect(response.statusCode).toBe(422);
});
