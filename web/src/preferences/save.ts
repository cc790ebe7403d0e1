import { request } from '../api/client.ts';
import type { CredentialAccount } from '../api/entities.ts';
import { me, setMe } from '../session/session.ts';
import type { Settings } from '../session/settings.ts';
import { changeSettings } from '../store/change-settings.ts';
import { Changes } from '../store/changes.ts';
import { showError } from '../ui/toasts.tsx';

type Source = CredentialAccount['source'];
type ProfileFlags = Pick<CredentialAccount, 'locked' | 'discoverable' | 'indexable' | 'hide_collections'>;

/** Changes a group of the client's settings at once. A failure is shown, and undoes the change. */
export const saveSettings = <Group extends 'appearance' | 'composer' | 'reading'>(
  group: Group,
  changes: Partial<Settings[Group]>,
): Promise<void> =>
  changeSettings(
    (current) => ({ [group]: { ...current[group], ...changes } }),
    (error) => showError(error, () => void saveSettings(group, changes)),
  );

/** Changes who finds and follows the account. It shows at once, and is undone with a message if the server refuses it. */
export async function saveProfile(changes: Partial<ProfileFlags>): Promise<void> {
  const apply = ({ source }: CredentialAccount) => ({ ...changes, source: { ...source, ...withoutLock(changes) } });
  await patchCredentials({ changes, body: changes, apply, retry: () => void saveProfile(changes) });
}

/** Changes the defaults of new posts, like `saveProfile`. */
export async function saveSource(changes: Partial<Source>): Promise<void> {
  // A blank language is that of the client.
  const source = 'language' in changes ? { ...changes, language: changes.language ?? '' } : changes;
  const apply = (account: CredentialAccount) => ({ source: { ...account.source, ...changes } });
  await patchCredentials({ changes, body: { source }, apply, retry: () => void saveSource(changes) });
}

const withoutLock = ({ locked: _locked, ...others }: Partial<ProfileFlags>): Partial<Source> =>
  others as Partial<Source>;

const accountChanges = new Changes<CredentialAccount>({
  peek: () => me.peek(),
  show: (_id, account) => setMe(account),
});

interface Patch {
  readonly changes: object;
  readonly body: object;
  readonly apply: (account: CredentialAccount) => Partial<CredentialAccount>;
  readonly retry: () => void;
}

async function patchCredentials({ changes, body, apply, retry }: Patch): Promise<void> {
  await accountChanges.make(me.peek().id, {
    name: Object.keys(changes).join(' '),
    apply,
    isIn: (account) => JSON.stringify({ ...account, ...apply(account) }) === JSON.stringify(account),
    send: () => request<CredentialAccount>('PATCH', '/api/v1/accounts/update_credentials', { body }),
    onError: (error) => showError(error, retry),
  });
}
