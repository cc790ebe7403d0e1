import { useEffect, useMemo } from 'preact/hooks';
import { encodeQR } from 'qr';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { copyText } from '../ui/copy-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { nameOf } from '../ui/display-name.tsx';
import './qr-dialog.css';

interface QrDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** The address of a profile as a QR code, to be scanned by another device, copied or saved. */
export function QrDialog({ account, onClose }: QrDialogProps) {
  const { url } = account;
  const svg = useMemo(() => encodeQR(url, 'svg'), [url]);
  const file = useMemo(() => URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })), [svg]);
  useEffect(() => () => URL.revokeObjectURL(file), [file]);
  return (
    <Dialog
      title={t('profile.qrCode')}
      size="small"
      onClose={onClose}
      actions={
        <>
          <a class="button quiet" href={file} download={`${account.acct}.svg`}>
            {t('profile.saveQrCode')}
          </a>
          <button type="button" class="button" onClick={() => void copyText(url, t('profile.linkCopied'))}>
            {t('profile.copyLink')}
          </button>
        </>
      }
    >
      <div
        class="qr-code"
        role="img"
        aria-label={t('profile.qrCodeOf', { name: nameOf(account) })}
        dangerouslySetInnerHTML={{ __html: svg }}
      />
      <p class="qr-address">
        <bdi>{url}</bdi>
      </p>
    </Dialog>
  );
}
