import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const refusedIPv4 = {
  '"this" network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'shared by carriers': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  'link-local and cloud metadata': ['169.254.0.0', '169.254.169.254', '169.254.255.255', '168.63.129.16'],
  'protocol assignments': ['192.0.0.0', '192.0.0.170', '192.0.0.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255'],
  '6to4 relays': ['192.88.99.1'],
  benchmarks: ['198.18.0.0', '198.19.255.255'],
  multicast: ['224.0.0.0', '239.255.255.255'],
  'reserved and broadcast': ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
};

const refusedIPv6 = {
  'unspecified and loopback': ['::', '::1'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8', '::ffff'],
  'mapped to a refused address': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
  'translated (SIIT)': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  'NAT64 of what is refused': ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::a9fe:a9fe'],
  'local NAT64': ['64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1'],
  discard: ['100::', '100::ffff'],
  'Teredo and protocol assignments': ['2001::1', '2001:0:7f00:1::', '2001:1ff::1'],
  benchmarks: ['2001:2::1'],
  'hash identifiers': ['2001:10::1', '2001:20::1', '2001:30::1'],
  documentation: ['2001:db8::1', '3fff::1', '3fff:fff::1'],
  '6to4': ['2002::1', '2002:7f00:1::', '2002:808:808::'],
  'segment routing': ['5f00::1'],
  'unique local': ['fc00::1', 'fd00::1', 'fd00:ec2::254'],
  'link-local': ['fe80::1', 'fe80::1%eth0', 'febf::1'],
  'site-local': ['fec0::1'],
  multicast: ['ff00::1', 'ff02::1'],
  'not allocated': ['4000::1', '8000::1', 'e000::1'],
};

for (const [name, addresses] of Object.entries({ ...refusedIPv4, ...refusedIPv6 })) {
  test(`no address is public that is ${name}`, () => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
}

test('internet addresses are public, including those next to the refused ranges', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2001:4860:4860::8888',
  ];
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('text that resolvers do not treat as an address is not public', () => {
  const texts = [
    '',
    'localhost',
    '127.1',
    '8.8.8',
    '0x8.8.8.8',
    '134744072',
    '08.8.8.8',
    '[::1]',
    ' 8.8.8.8',
    '8.8.8.8/8',
  ];
  expect(texts.filter(isPublicAddress)).toEqual([]);
});

test('an IPv4 address is treated the same in each accepted IPv6 form', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
      expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublicAddress(address));
      expect(isPublicAddress(`::${address}`)).toBe(false);
      return true;
    }),
  );
});

test('no IPv6 address outside 2000::/3 is public unless it embeds an IPv4 address', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.tuple(group, group, group, group, group, group, group, group), (groups) => {
      const [first, second] = groups;
      fc.pre((first & 0xe000) !== 0x2000 && first !== 0 && !(first === 0x64 && second === 0xff9b));
      expect(isPublicAddress(groups.map((part) => part.toString(16)).join(':'))).toBe(false);
      return true;
    }),
  );
});
