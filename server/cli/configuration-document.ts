import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../platform/config.ts';
import type { Setting } from '../platform/parse-setting.ts';
import { providerSettings } from '../platform/sign-in-providers.ts';
import { projectRoot } from './command-config.ts';

/** Renders docs/configuration.md. To write the file: `node bin/run.mjs server/cli/configuration-document.ts`. */
export function configurationDocument(): string {
  const own = Object.entries(settings).map(([name, setting]) => describe(name, setting));
  const ofProviders = Object.entries(providerSettings).map(([name, setting]) => describe(`OIDC_NAME_${name}`, setting));
  return `${introduction}\n${own.join('\n')}\n${providerIntroduction}\n${ofProviders.join('\n')}`;
}

function describe(name: string, { description, default: standard }: Setting<unknown>): string {
  const value = standard === undefined ? 'No default.' : `Default: \`${standard}\``;
  return `### ${name}\n\n${description}\n\n${value}\n`;
}

export const configurationDocumentPath = join(projectRoot, 'docs', 'configuration.md');

const introduction = `# Settings

This file is generated from server/platform/config.ts and server/platform/sign-in-providers.ts by \`node bin/run.mjs server/cli/configuration-document.ts\`.

Every setting is optional. Set one in the environment or in a file \`.env\` beside package.json, one \`NAME=value\` per
line; the environment wins. All invalid settings are reported together at startup. What you can change while the server
runs (title, description, rules, contact, registrations) is stored in the database and wins over these settings.

\`on\`, \`true\`, \`yes\` and \`1\` mean the same, and so do \`off\`, \`false\`, \`no\` and \`0\`. A relative DATA_DIR is resolved
against the folder of package.json. \`DATABASE_URL\` may contain parameters of PostgreSQL, such as \`?sslmode=require\`.
`;

const providerIntroduction = `## Settings of a sign-in provider

Each provider of SIGN_IN_PROVIDERS has these settings. NAME is its name in capitals: the client id of the provider \`town\`
is \`OIDC_TOWN_CLIENT_ID\`. The issuer and the client id are required.
`;

if (import.meta.main) writeFileSync(configurationDocumentPath, configurationDocument());
