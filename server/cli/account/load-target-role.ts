import type { App } from '../../platform/app.ts';
import type { AdminRole } from '../../users/roles/index.ts';
import { CliError } from '../cli-error.ts';

/** A role with what the command line calls it. */
export type TargetRole = AdminRole & { readonly label: string };

/** Returns the role with a name or id, or `user` for that of every user. Throws CliError if there is none. */
export async function loadTargetRole(app: App, text: string): Promise<TargetRole> {
  const { findRole } = await import('../../users/roles/index.ts');
  const role = await findRole(app, text);
  if (role === undefined) throw new CliError(`Unknown role: ${text}. See: fieldfare role list`);
  return { ...role, label: roleLabel(role) };
}

export const roleLabel = ({ name }: AdminRole): string => (name === '' ? 'user' : name.toLowerCase());
