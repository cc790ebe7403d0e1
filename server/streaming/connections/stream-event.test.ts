import { expect, test } from 'vitest';
import { encodeTextFrame, StreamEvent } from './stream-event.ts';

test('STR-01: text frames have the shortest length field that fits (RFC 6455, section 5.2)', () => {
  const headerOf = (text: string): number[] => [
    ...encodeTextFrame(text).subarray(0, encodeTextFrame(text).length - Buffer.byteLength(text)),
  ];
  expect(headerOf('')).toEqual([0x81, 0]);
  expect(headerOf('x'.repeat(125))).toEqual([0x81, 125]);
  expect(headerOf('x'.repeat(126))).toEqual([0x81, 126, 0, 126]);
  expect(headerOf('ä'.repeat(100))).toEqual([0x81, 126, 0, 200]);
  expect(headerOf('x'.repeat(65_535))).toEqual([0x81, 126, 255, 255]);
  expect(headerOf('x'.repeat(65_536))).toEqual([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
});

test('STR-01: the payload of an event is a string, and its bytes are shared by streams with the same label', () => {
  const event = new StreamEvent('delete', '12');
  const frame = event.frame('["user"]');
  expect(JSON.parse(frame.subarray(2).toString())).toEqual({ stream: ['user'], event: 'delete', payload: '12' });
  expect(event.frame('["user"]')).toBe(frame);
  expect(event.frame('["list","1"]')).not.toBe(frame);
  expect(event.lines().toString()).toBe('event: delete\ndata: 12\n\n');
  expect(event.chunk().toString()).toBe('18\r\nevent: delete\ndata: 12\n\n\r\n');
  expect(event.chunk()).toBe(event.chunk());
});
