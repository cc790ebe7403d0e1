import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by their range, but answered by the network of a cloud provider (Azure's host agent). */
const internalServices = new Set(['168.63.129.16']);

/**
 * Says whether an IP address belongs to the public internet. Everything reserved, private, local, shared, for
 * documentation or benchmarks, or a translation of such an address, does not; neither does what is no IP address.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads forms like 0x7f.1; whoever asks here has an address as the resolver or URL spells it.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return isPublicIPv4(parsed.toString());
  return isPublicIPv6(parsed as ipaddr.IPv6);
}

function isPublicIPv4(address: string): boolean {
  return ipaddr.IPv4.parse(address).range() === 'unicast' && !internalServices.has(address);
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.zoneId !== undefined) return false;
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address().toString());
  // Networks without IPv4 reach IPv4 hosts through the well-known prefix of NAT64 (RFC 6052).
  if (address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) {
    return isPublicIPv4(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString());
  }
  // Only 2000::/3 is given out as global unicast; 6to4, Teredo and the like within it have ranges of their own.
  return address.match(ipaddr.IPv6.parse('2000::'), 3) && address.range() === 'unicast';
}
