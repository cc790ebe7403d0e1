import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { compileIpMatcher, type IpRule } from './ip-matcher.ts';
import { formatIpNetwork, parseIpNetwork } from './ip-network.ts';
import type { IpBlockSeverity } from './tables.ts';

const now = new Date('2026-12-01T12:00:00Z');
const severities: readonly IpBlockSeverity[] = ['sign_up_requires_approval', 'sign_up_block', 'no_access'];

const normalize = (text: string): string | undefined => {
  const network = parseIpNetwork(text);
  return network && formatIpNetwork(network);
};

test.for([
  ['192.0.2.7', '192.0.2.7/32'],
  [' 192.0.2.7/24 ', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::ffff:192.0.2.7', '192.0.2.7/32'],
  ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  ['2001:DB8::1/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::/0', '::/0'],
  ['192.0.2.7/33', undefined],
  ['::ffff:192.0.2.7/95', undefined],
  ['192.0.2', undefined],
  ['192.0.2.7/', undefined],
  ['192.0.2.7/-1', undefined],
  ['fe80::1%eth0', undefined],
  ['example.test', undefined],
  ['', undefined],
] as const)('the network %s is %s', ([text, expected]) => {
  expect(normalize(text)).toBe(expected);
});

/** Few different addresses, so that networks often contain them. */
const ipv4 = fc
  .tuple(fc.constantFrom(10, 192), fc.constantFrom(0, 255), fc.nat(3), fc.nat(255))
  .map((p) => p.join('.'));
const ipv6 = fc
  .tuple(fc.constantFrom('2001:db8', 'fd00:1'), fc.nat(3), fc.nat(0xffff))
  .map(([start, middle, end]) => `${start}:${middle.toString(16)}::${end.toString(16)}`);
const network = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })),
  fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })),
);
const rule: fc.Arbitrary<IpRule> = fc
  .tuple(network, fc.constantFrom(...severities), fc.constantFrom(null, -1, 1))
  .map(([[address, prefix], severity, offset]) => ({
    ip: normalize(`${address}/${prefix}`) ?? '',
    severity,
    expires_at: offset === null ? null : new Date(now.getTime() + offset),
  }));
const rules = fc.uniqueArray(rule, { maxLength: 12, selector: ({ ip }) => ip });

test('ADM-07: the strictest block in force whose network contains the address wins', async () => {
  await fc.assert(
    fc.asyncProperty(rules, rules, fc.oneof(ipv4, ipv6), async (earlier, list, ip) => {
      const address = ipaddr.parse(ip);
      const matching = list.filter(({ ip: range, expires_at: expiry }) => {
        const [base, prefix] = ipaddr.parseCIDR(range);
        return base.kind() === address.kind() && address.match(base, prefix) && (expiry === null || expiry > now);
      });
      const expected = severities[Math.max(-1, ...matching.map(({ severity }) => severities.indexOf(severity)))];
      const matcher = await compileIpMatcher(list);
      expect(matcher.severityOf(ip, now)).toBe(expected);
      const changed = await compileIpMatcher(list, await compileIpMatcher(earlier));
      expect(changed.severityOf(ip, now)).toBe(expected);
      expect([...changed.places.keys()]).toEqual(list.map(({ ip: text }) => text));
      if (address.kind() === 'ipv4') expect(matcher.severityOf(`::ffff:${ip}`, now)).toBe(expected);
    }),
  );
});
