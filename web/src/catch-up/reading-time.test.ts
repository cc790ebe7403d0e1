import { expect, test } from 'vitest';
import type { MediaAttachment } from '../api/entities.ts';
import { readingSeconds } from './reading-time.ts';

const post = (content: string, media: readonly object[] = []) => ({
  content,
  spoiler_text: '',
  media_attachments: media as readonly MediaAttachment[],
  poll: null,
});

test('the time to read a post grows with its words, also in scripts without spaces, and with its media', () => {
  const empty = readingSeconds(post(''));
  const words = readingSeconds(post(`<p>${'word '.repeat(230)}</p>`));
  expect(words - empty).toBeCloseTo(60);
  const japanese = readingSeconds(post(`<p>${'鳥が好きです'.repeat(10)}</p>`));
  expect(japanese - empty).toBeCloseTo(7.2);
  expect(readingSeconds(post('<p><a href="https://a.example/b">https://a.example/b</a></p>'))).toBe(empty);
  expect(readingSeconds(post('', [{ type: 'image', meta: null }])) - empty).toBe(5);
  expect(readingSeconds(post('', [{ type: 'video', meta: { original: { duration: 20 } } }])) - empty).toBe(20);
  expect(readingSeconds(post('', [{ type: 'video', meta: { original: { duration: 7_200 } } }])) - empty).toBe(60);
  expect(readingSeconds(post('', [{ type: 'audio', meta: null }])) - empty).toBe(5);
});
