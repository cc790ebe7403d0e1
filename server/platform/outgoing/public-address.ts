import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseIPv6 } from '../rate-limits/address-block.ts';

/** In public ranges, but served by a cloud provider's own network (Azure's host agent). */
const internalServices = new Set(['168.63.129.16']);

/**
 * Returns whether an IP address belongs to the public internet. Reserved, private, local, shared, documentation and
 * benchmark addresses do not, nor do translations of them, nor anything that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return isPublicIPv4(address);
    case 6:
      return isPublicIPv6(address);
    default:
      return false;
  }
}

function isPublicIPv4(address: string): boolean {
  return ipaddr.IPv4.parse(address).range() === 'unicast' && !internalServices.has(address);
}

function isPublicIPv6(text: string): boolean {
  // A zone (`%eth0`) is used for link-local addresses.
  if (text.includes('%')) return false;
  const address = parseIPv6(text);
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address().toString());
  // Networks without IPv4 reach IPv4 hosts through the well-known prefix of NAT64 (RFC 6052).
  if (address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) {
    return isPublicIPv4(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString());
  }
  // Only 2000::/3 is assigned as global unicast; 6to4, Teredo and others within it have ranges of their own.
  return address.match(ipaddr.IPv6.parse('2000::'), 3) && address.range() === 'unicast';
}
