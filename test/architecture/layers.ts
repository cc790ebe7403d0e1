import { globSync, readFileSync } from 'node:fs';
import { parse } from './syntax.ts';

/** The domains, lowest first. A domain may not import a higher one or read its tables. A new domain is added here. */
export const layers = [
  'platform',
  'text',
  'site',
  'refreshes',
  'media',
  'emojis',
  'accounts',
  'moderation-rules',
  'users',
  'oauth',
  'relationships',
  'tags',
  'filters',
  'collections',
  'invites',
  'cards',
  'polls',
  'quotes',
  'interactions',
  'statuses',
  'drafts',
  'bookmarks',
  'hashtags',
  'conversations',
  'lists',
  'timelines',
  'reports',
  'groups',
  'moderation',
  'measures',
  'notifications',
  'announcements',
  'trends',
  'annual-reports',
  'email-subscriptions',
  'translation',
  'federation',
  'auxiliary-services',
  'suggestions',
  'profiles',
  'account-data',
  'search',
  'streaming',
  'instance',
  'push',
  'webhooks',
  'pages',
  'maintenance',
  'backup',
  'server-imports',
  'cli',
];

export const isAbove = (domain: string, other: string): boolean => layers.indexOf(domain) > layers.indexOf(other);

/** Returns the domain of a file; undefined for server/app.ts and server/main.ts, which combine the domains. */
export const domainOf = (path: string): string | undefined => /^server\/([^/]+)\//.exec(path)?.[1];

/** Paths of all code files that run in production, from the root of the repository. */
export const sourceFiles: readonly string[] = globSync('server/**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}').filter(
  (file) => !/\.test\.[a-z]+$/.test(file),
);

export const readSource = (file: string): string => readFileSync(file, 'utf8');

/** The domain that owns each table. */
export type TableOwners = ReadonlyMap<string, string>;

/** Tables that no tables.ts declares because only raw statements of the platform use them. */
const undeclared = ['migrations', 'rate_counts'];

/** Returns all tables: the members of each exported interface `…Tables` in a tables.ts. */
export function declaredTables(): TableOwners {
  const owners = new Map(undeclared.map((name) => [name, 'platform']));
  for (const file of globSync('server/**/tables.ts')) {
    for (const statement of parse(file, readSource(file)).program.body) {
      if (statement.type !== 'ExportNamedDeclaration') continue;
      const { declaration } = statement;
      if (declaration?.type !== 'TSInterfaceDeclaration' || !declaration.id.name.endsWith('Tables')) continue;
      for (const member of declaration.body.body) {
        if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier')
          owners.set(member.key.name, domainOf(file) ?? '');
      }
    }
  }
  return owners;
}
