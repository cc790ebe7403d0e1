import type { App } from '../platform/app.ts';
import { domainPolicy } from '../site/domains/index.ts';

/**
 * Whether nothing may be exchanged with a domain: staff suspended it or a parent domain, or it is not allowed in limited
 * federation mode. Ignores a port.
 */
export async function isBlockedDomain(app: App, domain: string): Promise<boolean> {
  return (await domainPolicy(app)).ruleFor(domain).severity === 'suspend';
}

/** Whether documents are served only to requests with a signature. */
export function requiresSignedFetch(app: App): boolean {
  return app.config.SECURE_MODE || app.config.LIMITED_FEDERATION;
}
