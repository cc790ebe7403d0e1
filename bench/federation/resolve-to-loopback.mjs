// Loaded before a measured server, and in its threads: resolves the names of the benchmark's network, NETWORK_DOMAIN, to
// this machine. Plain JavaScript, because reading TypeScript would take 18 MB in each thread.
import { Resolver } from 'node:dns/promises';

const { resolve4, resolve6 } = Resolver.prototype;
const isOfNetwork = (name) => name.endsWith(`.${process.env['NETWORK_DOMAIN']}`);

Resolver.prototype.resolve4 = function resolve(name, ...rest) {
  return isOfNetwork(name) ? Promise.resolve(['127.0.0.1']) : Reflect.apply(resolve4, this, [name, ...rest]);
};

Resolver.prototype.resolve6 = function resolve(name, ...rest) {
  return isOfNetwork(name) ? Promise.resolve([]) : Reflect.apply(resolve6, this, [name, ...rest]);
};
