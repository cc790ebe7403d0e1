import { t } from '../i18n/translate.tsx';
import './left-off-bar.css';

/** The line above the newest post that the reader saw before. It takes no height, so that nothing moves when it appears. */
export function LeftOffBar({ newAbove }: { readonly newAbove: number }) {
  const text = newAbove > 0 ? t('timeline.leftOffAbove', { count: newAbove }) : t('timeline.leftOff');
  return (
    <article class="left-off" aria-label={text}>
      <span class="one-line">{text}</span>
    </article>
  );
}
