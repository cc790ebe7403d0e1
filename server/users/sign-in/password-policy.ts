import type { App } from '../../platform/app.ts';
import { forbidden } from '../../platform/http/http-errors.ts';

/** Whether people may sign in and sign up with passwords, and change them. */
export const mayUsePasswords = ({ config }: Pick<App, 'config'>): boolean => config.SIGN_IN === 'any';

/** Throws 403 if people sign in only with providers. */
export function assertPasswordsAllowed(app: Pick<App, 'config'>): void {
  if (!mayUsePasswords(app)) throw forbidden('users.onlyProviders');
}
