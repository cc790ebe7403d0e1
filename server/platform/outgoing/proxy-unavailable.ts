/** Thrown if the proxy for requests to other hosts cannot be reached or refuses its credentials: no host is to blame. */
export class ProxyUnavailable extends Error {
  override name = 'ProxyUnavailable';
}
