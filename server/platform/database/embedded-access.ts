import { chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownUserName, type SystemUser } from './embedded-user.ts';

/**
 * Writes who may connect to the cluster in `dataDir`: through the socket, and only the operating system's user that
 * this process runs as. Nobody is trusted by default, nobody has a password.
 */
export async function writeAccessRules(
  dataDir: string,
  role: string,
  databaseUser: SystemUser | undefined,
): Promise<void> {
  const note = '# Fieldfare writes this file at each start.\n';
  const rules = {
    'pg_hba.conf': `${note}local all ${role} peer map=server\n`,
    'pg_ident.conf': `${note}server "${ownUserName()}" ${role}\n`,
  };
  for (const [name, content] of Object.entries(rules)) {
    const draft = join(dataDir, `${name}.new`);
    // Created again: the folder belongs to the database's user, who may have put a link there.
    await rm(draft, { recursive: true, force: true });
    await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
    if (databaseUser !== undefined) await chown(draft, databaseUser.uid, databaseUser.gid);
    await rename(draft, join(dataDir, name));
  }
}
