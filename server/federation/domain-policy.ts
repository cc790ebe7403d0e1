import type { App } from '../platform/app.ts';
import { domainPolicy } from '../site/index.ts';

/**
 * Returns whether nothing may be exchanged with a domain: staff suspended it or a parent domain, or it is not allowed in
 * limited federation mode. A port is ignored.
 */
export async function isBlockedDomain(app: App, domain: string): Promise<boolean> {
  return (await domainPolicy(app)).ruleFor(domain).severity === 'suspend';
}
