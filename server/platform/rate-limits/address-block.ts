import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the addresses that count as one client: an IPv4 address by itself, an IPv6 address with its /64, however it is
 * written. An IPv4-mapped IPv6 address is its IPv4 address. What is no IP address is returned as it is.
 */
export function addressBlock(text: string): string {
  const [address = ''] = text.split('%', 1);
  if (isIP(address) !== 6) return address;
  const parsed = parseIPv6(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Parses an IPv6 address without a zone. ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8 unless it is in hexadecimal. */
export function parseIPv6(text: string): ipaddr.IPv6 {
  return ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
}
