import { expect, test } from 'vitest';
import { formatSecret, newSigningKey, signMessage } from './sign-message.ts';

const example = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  sentAt: new Date(1_614_265_330_999),
  body: '{"test": 2432232314}',
};
const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');

test('a message is signed as in the example of Standard Webhooks', () => {
  expect(signMessage(example, [key])).toEqual({
    'webhook-id': example.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('while a secret is being replaced, a message has a signature for each of the two', () => {
  const signature = signMessage(example, [newSigningKey(), key])['webhook-signature'] ?? '';
  expect(signature.split(' ')).toHaveLength(2);
  expect(signature.split(' ')[1]).toBe(signMessage(example, [key])['webhook-signature']);
});

test('a secret is 32 random bytes', () => {
  const secrets = [newSigningKey(), newSigningKey()].map(formatSecret);
  expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secrets[0]).not.toBe(secrets[1]);
});
