import { describe, expect, test } from 'vitest';
import { clickedPath, toShownPush } from './push-messages.ts';

const message = (type: string): string =>
  `{"notification_id":116000000000000123,"access_token":"","preferred_locale":"en","notification_type":"${type}","icon":"https://example.org/a.png","title":"Ada mentioned you","body":"Hello"}`;

describe('toShownPush', () => {
  test('keeps all digits of the id, and opens what the notification is about', () => {
    const { title, options } = toShownPush(message('mention'), 'Fieldfare');
    expect(title).toBe('Ada mentioned you');
    expect(options).toMatchObject({ body: 'Hello', tag: '116000000000000123' });
    expect(options.data.path).toBe('/notifications?open=116000000000000123');
  });

  test.each(['', 'no JSON', 'null', '{"title":5}'])('shows something for a message that cannot be read: %s', (text) => {
    const { title, options } = toShownPush(text, 'Fieldfare');
    expect(title).toBe('Fieldfare');
    expect(options.data.path).toBe('/notifications');
  });
});

test('clickedPath opens local paths only', () => {
  expect(clickedPath({ path: '/follow_requests' })).toBe('/follow_requests');
  for (const data of [undefined, {}, { path: 'https://example.org' }, { path: '//example.org' }, { path: 5 }])
    expect(clickedPath(data)).toBe('/notifications');
});
