import { withQuery } from '../../api/client.ts';
import type { DomainBlockPreview } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { describeError } from '../../ui/toasts.tsx';
import { useLoaded } from '../../ui/use-loaded.tsx';
import type { DomainBlockOptions } from './open-dialogs.tsx';
import { blockDomain } from '../relationship-actions.ts';

interface DomainBlockProps extends DomainBlockOptions {
  readonly domain: string;
  readonly onClose: () => void;
}

/** Asks whether a server is blocked, and names the follows that end. */
export function DomainBlockDialog({ domain, account, onBlocked, onClose }: DomainBlockProps) {
  const preview = useLoaded<DomainBlockPreview>(withQuery('/api/v1/domain_blocks/preview', { domain }));
  const block = async (): Promise<void> => {
    onClose();
    if (await blockDomain(domain, account)) onBlocked?.();
  };
  return (
    <Dialog
      title={t('people.blockServerTitle', { domain })}
      size="small"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button type="button" class="button danger" onClick={() => void block()}>
            {t('people.blockServer')}
          </button>
        </>
      }
    >
      <p>{t('people.blockServerText')}</p>
      <div role="status">
        {preview.error !== undefined ? (
          <p class="soft">{describeError(preview.error)}</p>
        ) : preview.value === undefined ? (
          <p class="soft">{t('people.countingFollows')}</p>
        ) : (
          <LostFollows preview={preview.value} />
        )}
      </div>
    </Dialog>
  );
}

function LostFollows({ preview }: { readonly preview: DomainBlockPreview }) {
  const { following_count: following, followers_count: followers } = preview;
  if (following === 0 && followers === 0) return <p>{t('people.losesNothing')}</p>;
  return (
    <>
      {following > 0 && <p>{t('people.losesFollowing', { count: following })}</p>}
      {followers > 0 && <p>{t('people.losesFollowers', { count: followers })}</p>}
      <p>{t('people.losesForGood')}</p>
    </>
  );
}
