/**
 * How the program is bundled. A server starts PostgreSQL with the first group, and meanwhile imports the rest. Commands that only
 * read need the second one and some domains, those for accounts and tokens the third, and the others all: reading takes half the
 * CPU of that.
 */
export const programGroups = [
  ['server/cli/run.ts', 'server/cli/serve/serve-command.ts', 'server/cli/serve/serve.ts'],
  ['server/cli/open/open-app.ts'],
  ['server/cli/open/accounts-app.ts'],
  ['server/cli/serve/start-server.ts'],
];
