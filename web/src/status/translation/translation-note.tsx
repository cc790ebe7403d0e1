import translateIcon from '@phosphor-icons/core/regular/translate.svg?raw';
import type { Translation } from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showOriginal, translate } from './translations.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';

/** States the language and the service of a translation, and leads back to the original. */
export function TranslationNote({ id, translation }: { readonly id: string; readonly translation: Translation }) {
  const { detected_source_language: code, provider } = translation;
  const language = new Intl.DisplayNames(locale.value, { type: 'language', fallback: 'code' }).of(code) ?? code;
  return (
    <p class="translation-note soft">
      <Icon svg={translateIcon} />
      <span>{t('status.translatedFrom', { language, provider })}</span>
      <button type="button" class="link" onClick={() => showOriginal(id)}>
        {t('status.showOriginal')}
      </button>
    </p>
  );
}

/** Offers a translation of a post in another language. */
export function TranslateButton({ id }: { readonly id: string }) {
  const [run, isBusy] = useSingleRun(() => translate(id));
  return (
    <p class="translation-note">
      <Icon svg={translateIcon} />
      <button type="button" class="link" disabled={isBusy} onClick={() => void run()}>
        {t('status.translate')}
      </button>
    </p>
  );
}
