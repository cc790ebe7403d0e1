import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptLegacyMessage, encryptMessage } from './encrypt-message.ts';

const decode = (text: string): Buffer => Buffer.from(text, 'base64url');

function secretsOf(privateKey: string, salt: string) {
  const keyPair = createECDH('prime256v1');
  keyPair.setPrivateKey(decode(privateKey));
  return { keyPair, salt: decode(salt) };
}

test('PSH-01: a message is encrypted as in the example of RFC 8291', () => {
  const { body, headers } = encryptMessage(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: decode('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      auth: decode('BTBZMqHH6r4Tts7J_aSIgg'),
    },
    secretsOf('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'DGv6ra1nlYgDCS1FRnbzlw'),
  );
  expect(headers).toEqual({ 'content-encoding': 'aes128gcm' });
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('PSH-01: a legacy message is encrypted as in the example of draft-ietf-webpush-encryption-04', () => {
  const { body, headers } = encryptLegacyMessage(
    'I am the walrus',
    {
      p256dh: decode('BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU'),
      auth: decode('R29vIGdvbyBnJyBqb29iIQ'),
    },
    secretsOf('nCScek-QpEjmOOlT-rQ38nZzvdPlqa00Zy0i6m2OJvY', 'lngarbyKfMoi9Z75xYXmkg'),
  );
  expect(headers).toEqual({
    'content-encoding': 'aesgcm',
    encryption: 'salt=lngarbyKfMoi9Z75xYXmkg',
    'crypto-key': 'dh=BNoRDbb84JGm8g5Z5CFxurSqsXWJ11ItfXEWYVLE85Y7CYkDjXsIEc4aqxYaQ1G8BqkXCJ6DPpDrWtdWj_mugHU',
  });
  expect(body.toString('base64url')).toBe('6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA');
});

test('PSH-01: no two messages share keys', () => {
  const keys = { p256dh: createECDH('prime256v1').generateKeys(), auth: Buffer.alloc(16) };
  const bodies = [encryptMessage('hello', keys), encryptMessage('hello', keys)].map(({ body }) =>
    body.subarray(0, 86).toString('hex'),
  );
  expect(bodies[0]).not.toBe(bodies[1]);
});
