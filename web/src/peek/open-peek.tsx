import { t } from '../i18n/translate.tsx';
import { statusOf } from '../store/statuses.ts';
import { copyText } from '../ui/copy-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { hasLayers } from '../ui/layers.ts';
import { openDialog } from '../ui/open-dialog.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { loadPeek, showsCard } from './load-peek.ts';
import { PeekCard } from './peek-card.tsx';
import { PeekContent } from './peek-content.tsx';
import type { PeekTarget } from './peek-target.ts';

let closeShownCard: (() => void) | undefined;

/** Shows a preview at a link, once it is loaded and if the reader still wants it. A link of the web has one only if its card is known. */
export async function openPeekCard(
  target: PeekTarget,
  link: HTMLAnchorElement,
  isWanted: () => boolean,
): Promise<void> {
  if (target.kind === 'link' && showsCard(statusOf(target.statusId ?? '').peek())) return;
  const peek = await loadPeek(target);
  if (!isWanted() || hasLayers() || (peek.kind === 'link' && peek.card === undefined)) return;
  closeShownCard?.();
  openDialog((close) => {
    closeShownCard = close;
    return <PeekCard peek={peek} title={titleOf(target)} link={link} onClose={close} />;
  });
}

/** Opens a preview as a dialog, which is a sheet on phones. */
export function openPeekDialog(target: PeekTarget): void {
  closeShownCard?.();
  openDialog((close) => <PeekDialog target={target} onClose={close} />);
}

function PeekDialog({ target, onClose }: { readonly target: PeekTarget; readonly onClose: () => void }) {
  const address = target.kind === 'link' ? target.url : location.origin + target.path;
  const loaded = useLoaded(address, (signal) => loadPeek(target, signal));
  return (
    <Dialog
      title={titleOf(target)}
      size="small"
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button quiet" onClick={() => void copyText(address, t('status.linkCopied'))}>
            {t('peek.copy')}
          </button>
          <a class="button" href={address} {...(target.kind === 'link' && { target: '_blank', rel: 'noopener' })}>
            {t('peek.open')}
          </a>
        </>
      }
    >
      {loaded.value === undefined ? <NotLoaded of={loaded} count={1} /> : <PeekContent peek={loaded.value} />}
    </Dialog>
  );
}

function titleOf({ kind }: PeekTarget): string {
  switch (kind) {
    case 'person':
      return t('peek.person');
    case 'post':
      return t('peek.post');
    case 'link':
      return t('peek.link');
  }
}
