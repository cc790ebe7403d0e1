import { chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { currentUserName, type SystemUser } from './user.ts';

/**
 * Writes the access rules of the cluster in `dataDir`: only the operating system user of this process may connect,
 * through the socket. There are no passwords.
 */
export async function writeAccessRules(
  dataDir: string,
  role: string,
  databaseUser: SystemUser | undefined,
): Promise<void> {
  const header = '# Fieldfare writes this file at each start.\n';
  const rules = {
    'pg_hba.conf': `${header}local all ${role} peer map=server\n`,
    'pg_ident.conf': `${header}server "${currentUserName()}" ${role}\n`,
  };
  for (const [name, content] of Object.entries(rules)) {
    const temporaryPath = join(dataDir, `${name}.new`);
    // Created from scratch: the folder belongs to the database's user, who may have put a link there.
    await rm(temporaryPath, { recursive: true, force: true });
    await writeFile(temporaryPath, content, { flag: 'wx', mode: 0o600 });
    if (databaseUser !== undefined) await chown(temporaryPath, databaseUser.uid, databaseUser.gid);
    await rename(temporaryPath, join(dataDir, name));
  }
}
