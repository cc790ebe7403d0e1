import { request } from '../../api/client.ts';
import type { Import } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';

interface ImportItemProps {
  readonly imported: Import;
  readonly onChange: (changed: Import) => void;
  readonly onDelete: () => void;
}

/** A file that was checked, is being imported, or was imported. */
export function ImportItem({ imported, onChange, onDelete }: ImportItemProps) {
  const { id, type, state, created_at: createdAt } = imported;
  const path = `/api/v1/fieldfare/imports/${id}`;
  const isRunning = state === 'removing' || state === 'adding';
  useRefresh(path, isRunning, onChange);
  const [start, isStarting] = useSingleRun(async (): Promise<void> => {
    try {
      onChange(await request<Import>('POST', `${path}/confirm`));
    } catch (error) {
      showError(error, () => void start());
    }
  });
  const remove = async (): Promise<void> => {
    try {
      await request('DELETE', path);
      onDelete();
    } catch (error) {
      showError(error, () => void remove());
    }
  };
  return (
    <li class="import">
      <p>
        <strong>{t(`yourData.${type}`)}</strong>{' '}
        <span class="soft small">
          <RelativeTime time={createdAt} />
        </span>
      </p>
      <Progress imported={imported} />
      <Failures imported={imported} path={path} />
      <p class="import-actions">
        {state === 'unconfirmed' && (
          <button type="button" class="button" disabled={isStarting} onClick={() => void start()}>
            {t('yourData.start')}
          </button>
        )}
        <button type="button" class="button quiet" onClick={() => void remove()}>
          {t(state === 'finished' ? 'yourData.forget' : isRunning ? 'yourData.stop' : 'yourData.discard')}
        </button>
      </p>
    </li>
  );
}

function Progress({ imported }: { readonly imported: Import }) {
  const { state, total_count: total, imported_count: done, failed_count: failed } = imported;
  if (state === 'unconfirmed') {
    const toRemove = imported.to_remove_count ?? 0;
    return (
      <p>
        {t('yourData.found', { count: total - failed })}
        {toRemove > 0 && <> {t('yourData.toRemove', { count: toRemove })}</>}
      </p>
    );
  }
  return (
    <>
      {state !== 'finished' && (
        <progress max={Math.max(total, 1)} value={done + failed} aria-label={t('yourData.progress')} />
      )}
      <p role="status">
        {t(state === 'finished' ? 'yourData.finished' : 'yourData.running', { count: done })}
        {imported.removed_count > 0 && <> {t('yourData.removed', { count: imported.removed_count })}</>}
      </p>
    </>
  );
}

function Failures({ imported, path }: { readonly imported: Import; readonly path: string }) {
  const { failures, failed_count: failed } = imported;
  if (failed === 0) return null;
  return (
    <details>
      <summary>{t('yourData.failed', { count: failed })}</summary>
      <ul class="failures">
        {failures.map(({ line, target, problem }) => (
          <li key={line}>
            <bdi>{target}</bdi> <span class="soft">{t(`importProblem.${problem}`)}</span>
          </li>
        ))}
      </ul>
      <a href={`${path}/failures`} download>
        {t('yourData.downloadFailures')}
      </a>
    </details>
  );
}
