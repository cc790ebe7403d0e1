import bellSlash from '@phosphor-icons/core/regular/bell-slash.svg?raw';
import eyeSlash from '@phosphor-icons/core/regular/eye-slash.svg?raw';
import userMinus from '@phosphor-icons/core/regular/user-minus.svg?raw';
import type { Account } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { nameOf } from '../../ui/display-name.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { domainOf } from '../domain-of.ts';
import { openDomainBlock } from './open-dialogs.tsx';
import { blockAccount, unblockAccount } from '../relationship-actions.ts';
import '../../ui/choices.css';

/** Asks whether an account is blocked. A remote one also offers to block its server. */
export function BlockDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const name = nameOf(account);
  const domain = domainOf(account);
  const block = async (): Promise<void> => {
    onClose();
    if (!(await blockAccount(account))) return;
    const undo = { label: t('people.undo'), run: () => void unblockAccount(account) };
    showToast(t('people.blocked', { name }), { action: undo });
  };
  return (
    <Dialog
      title={t('people.blockTitle', { name })}
      size="small"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button type="button" class="button danger" onClick={() => void block()}>
            {t('people.block')}
          </button>
        </>
      }
    >
      <div class="dialog-lines">
        <p>
          <Icon svg={eyeSlash} />
          {t('people.blockHides')}
        </p>
        <p>
          <Icon svg={userMinus} />
          {t('people.blockUnfollows')}
        </p>
        <p>
          <Icon svg={bellSlash} />
          {t('people.blockSilent')}
        </p>
      </div>
      {domain !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() => {
            onClose();
            openDomainBlock(domain, { account });
          }}
        >
          {t('people.blockServerInstead', { domain })}
        </button>
      )}
    </Dialog>
  );
}
