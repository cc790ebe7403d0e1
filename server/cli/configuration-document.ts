import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../platform/config.ts';
import { projectRoot } from './command-config.ts';

/** docs/configuration.md as the settings of today have it. Write it with `node bin/run.mjs server/cli/configuration-document.ts`. */
export function configurationDocument(): string {
  const parts = Object.entries(settings).map(([name, { description, default: standard }]) => {
    const value = standard === undefined ? 'Not set unless you set it.' : `Default: \`${standard}\``;
    return `### ${name}\n\n${description}\n\n${value}\n`;
  });
  return `${introduction}\n${parts.join('\n')}`;
}

/** Where the document is kept. */
export const configurationDocumentPath = join(projectRoot, 'docs', 'configuration.md');

const introduction = `# Settings

This file is generated from server/platform/config.ts; \`node bin/run.mjs server/cli/configuration-document.ts\` writes it.

Fieldfare starts without any setting. To change one, set it in the environment or in a file \`.env\` beside package.json,
one \`NAME=value\` a line; the environment wins. A start with wrong settings names all of them and ends. What you can
change while the server runs (title, description, rules, contact, registrations) is kept in the database and wins over
the settings here.

\`on\`, \`true\`, \`yes\` and \`1\` mean the same, and so do \`off\`, \`false\`, \`no\` and \`0\`. A relative DATA_DIR begins at
the folder of package.json. Values that PostgreSQL itself reads (\`DATABASE_URL\`) may carry its parameters, such as
\`?sslmode=require\`.
`;

if (import.meta.main) writeFileSync(configurationDocumentPath, configurationDocument());
