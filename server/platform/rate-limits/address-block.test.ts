import { expect, test } from 'vitest';
import { addressBlock } from './address-block.ts';

test('an IPv6 /64 is one client however its addresses are written', () => {
  const spellings = [
    '2001:db8:0:5::1',
    '2001:db8::5:0:0:0:1',
    '2001:0db8:0000:0005:ffff:ffff:ffff:ffff',
    '2001:DB8:0:5:a::',
    '2001:db8:0:5::1%eth0',
    '2001:db8:0:5:0:0:192.0.2.1',
  ];
  expect(new Set(spellings.map(addressBlock))).toEqual(new Set(['2001:db8:0:5::/64']));
  expect(addressBlock('2001:db8:0:6::1')).not.toBe(addressBlock('2001:db8:0:5::1'));
  expect(addressBlock('2001:db8::1')).toBe(addressBlock('2001:db8:0:0:9::'));
  expect(addressBlock('::1')).toBe('0:0:0:0::/64');
});

test('an IPv4 address is one client, even when mapped into IPv6', () => {
  for (const text of [
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '::FFFF:192.0.2.7',
    '::ffff:c000:207',
    '0:0:0:0:0:ffff:c000:0207',
  ]) {
    expect(addressBlock(text), text).toBe('192.0.2.7');
  }
  expect(addressBlock('::192.0.2.7')).toBe('0:0:0:0::/64');
  expect(addressBlock('unix')).toBe('unix');
});
