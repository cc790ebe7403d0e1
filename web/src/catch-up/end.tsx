import { useSignal } from '@preact/signals';
import { t } from '../i18n/translate.tsx';
import { endAbsence } from '../session/visits.ts';
import { markHomeRead } from '../timeline/markers/index.ts';
import { formatMoment } from '../ui/relative-time.tsx';
import { describeError, showError } from '../ui/toasts.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';
import { type CatchUp, maxRows } from './catch-up.ts';

/** The end: what is missing, the way home, and the offer to mark home as read. */
export function End({ catchUp }: { readonly catchUp: CatchUp }) {
  const isMarked = useSignal(false);
  const mark = async (): Promise<void> => {
    try {
      await markHomeRead(catchUp.until);
      isMarked.value = true;
      endAbsence();
    } catch (error) {
      showError(error, () => void mark());
    }
  };
  const [run, isMarking] = useSingleRun(mark);
  return (
    <section class="state catch-up-end">
      {catchUp.isCut.value && <Missing catchUp={catchUp} />}
      <h2>{t('catchUp.end')}</h2>
      <p>{t('catchUp.endHint', { time: formatMoment(catchUp.since) })}</p>
      <div class="catch-up-end-buttons">
        <a class="button" href="/" onClick={endAbsence}>
          {t('catchUp.home')}
        </a>
        <span role="status">
          {isMarked.value ? (
            t('catchUp.marked')
          ) : (
            <button type="button" class="button quiet" disabled={isMarking} onClick={() => void run()}>
              {t('catchUp.mark')}
            </button>
          )}
        </span>
      </div>
    </section>
  );
}

/** Says that older posts are not loaded, and why if that is known. */
function Missing({ catchUp }: { readonly catchUp: CatchUp }) {
  const { items, state, error } = catchUp.timeline;
  const isFull = items.value.length >= maxRows;
  const time = formatMoment(catchUp.oldestAt.value ?? catchUp.since);
  return (
    <>
      <p>
        {isFull ? t('catchUp.limit', { count: maxRows, time }) : t('catchUp.missing', { time })}
        {state.value === 'failed' && ` ${describeError(error)}`}
      </p>
      {!isFull && (
        <button type="button" class="button quiet" onClick={() => void catchUp.load()}>
          {t('catchUp.loadRest')}
        </button>
      )}
    </>
  );
}
