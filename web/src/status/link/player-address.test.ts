import { expect, test } from 'vitest';
import { playerOf } from './player-address.ts';

test.each([
  [
    'video',
    '<iframe width="400" src="https://video.example/e/1?a=1&amp;b=2"></iframe>',
    'https://video.example/e/1?a=1&b=2',
  ],
  ['video', "<iframe src='https://video.example/e/1'></iframe>", 'https://video.example/e/1'],
  ['video', '<iframe src="http://video.example/e/1"></iframe>', undefined],
  ['video', '<iframe src="javascript:alert(1)"></iframe>', undefined],
  ['video', '<iframe src="https://here.example/e/1"></iframe>', undefined],
  ['video', '<script src="https://video.example/1.js"></script>', undefined],
  ['link', '<iframe src="https://video.example/e/1"></iframe>', undefined],
] as const)('a %s with %s is played from %s', (type, html, address) => {
  expect(playerOf({ type, html }, 'https://here.example')).toBe(address);
});
