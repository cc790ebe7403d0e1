import type { App } from '../../platform/app.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { discoverProvider, ProviderError } from '../../users/identity-providers/index.ts';
import { findRole } from '../../users/roles/index.ts';
import type { Finding } from './finding.ts';

const subject = 'sign-in';

/** Checks that each sign-in provider answers, and that the roles which its settings assign exist. */
export async function checkSignInProviders(app: App): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const provider of app.config.signInProviders)
    findings.push(await checkDiscovery(app, provider), ...(await checkRoles(app, provider)));
  return findings;
}

async function checkDiscovery(app: App, provider: SignInProvider): Promise<Finding> {
  try {
    await discoverProvider(app, provider);
    return { subject, state: 'ok', detail: `${provider.name} answers at ${provider.issuer}` };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return {
      subject,
      state: 'fail',
      detail: `${provider.name} cannot be used: ${error.message}`,
      fix: `Check OIDC_${provider.name.toUpperCase()}_ISSUER: /.well-known/openid-configuration below it must name the same issuer.`,
    };
  }
}

async function checkRoles(app: App, provider: SignInProvider): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const role of new Set(provider.ROLES.values())) {
    if ((await findRole(app, role)) !== undefined) continue;
    findings.push({
      subject,
      state: 'warn',
      detail: `OIDC_${provider.name.toUpperCase()}_ROLES names an unknown role: ${role}`,
      fix: 'Create the role, or correct its name. See: fieldfare role list',
    });
  }
  return findings;
}
