import { t } from '../i18n/translate.tsx';
import { confirm } from '../ui/confirm.tsx';
import type { Composition } from './composition.ts';

interface SaveStateTextProps {
  readonly composition: Composition;
  readonly onDiscarded: () => void;
}

/** Says where the text is kept, with a button to discard it. */
export function SaveStateText({ composition, onDiscarded }: SaveStateTextProps) {
  const state = composition.saveState.value;
  const isEdit = composition.content.value.editedId !== undefined;
  if (state === 'unchanged') return <span class="save-state" role="status" />;
  const discard = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('composer.discardTitle'),
      text: isEdit ? t('composer.discardEditText') : t('composer.discardText'),
      action: t('composer.discard'),
    });
    if (!isConfirmed) return;
    await composition.discard();
    onDiscarded();
  };
  return (
    <span class="save-state soft small">
      <span role="status">{state === 'saved' ? t('composer.draftSaved') : t('composer.keptHere')}</span>{' '}
      <button type="button" class="link" onClick={() => void discard()}>
        {t('composer.discard')}
      </button>
    </span>
  );
}
