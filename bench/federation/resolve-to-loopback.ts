// Loaded before a measured server: resolves the names of the benchmark's network to this machine.
import { Resolver } from 'node:dns/promises';
import { networkDomain } from './peers.ts';

const { resolve4, resolve6 } = Resolver.prototype;
const isOfNetwork = (name: string): boolean => name.endsWith(`.${networkDomain}`);

Resolver.prototype.resolve4 = function resolve(this: Resolver, name: string, ...rest: unknown[]) {
  return isOfNetwork(name) ? Promise.resolve(['127.0.0.1']) : Reflect.apply(resolve4, this, [name, ...rest]);
} as typeof resolve4;

Resolver.prototype.resolve6 = function resolve(this: Resolver, name: string, ...rest: unknown[]) {
  return isOfNetwork(name) ? Promise.resolve([]) : Reflect.apply(resolve6, this, [name, ...rest]);
} as typeof resolve6;
