import { request } from '../../api/client.ts';
import type { Archive } from '../../api/entities.ts';
import { formatCount, locale, t } from '../../i18n/translate.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';
import { useRefresh } from '../../ui/use-refresh.ts';

const path = '/api/v1/fieldfare/archives';

interface ArchivesProps {
  /** Newest first. */
  readonly archives: readonly Archive[];
  readonly onChange: (archives: readonly Archive[]) => void;
}

/** The last archive of the account's data, and a button for the next one. */
export function Archives({ archives, onChange }: ArchivesProps) {
  const [last] = archives;
  const isMaking = last?.state === 'waiting' || last?.state === 'building';
  useRefresh(path, isMaking, onChange);
  const [ask, isBusy] = useSingleRun(async (): Promise<void> => {
    try {
      onChange([await request<Archive>('POST', path), ...archives]);
    } catch (error) {
      showError(error, () => void ask());
    }
  });
  const next = archives.find(({ next_request_at: time }) => time !== null && Date.parse(time) > Date.now());
  return (
    <div class="archive" role="status">
      {last !== undefined && (
        <State archive={last} onDeleted={(deleted) => onChange([deleted, ...archives.slice(1)])} />
      )}
      {!isMaking &&
        (next?.next_request_at ? (
          <p class="soft small">{t('yourData.archiveNext', { date: formatTime(next.next_request_at) })}</p>
        ) : (
          <p>
            <button type="button" class="button" disabled={isBusy} onClick={() => void ask()}>
              {t('yourData.archiveRequest')}
            </button>
          </p>
        ))}
    </div>
  );
}

interface StateProps {
  readonly archive: Archive;
  /** Called with what is left of it: the time of the next one. */
  readonly onDeleted: (archive: Archive) => void;
}

function State({ archive, onDeleted }: StateProps) {
  const { id, state, size, expires_at: expiresAt, posts_written: posts, posts_total: total } = archive;
  const remove = async (): Promise<void> => {
    try {
      await request('DELETE', `${path}/${id}`);
      onDeleted({ ...archive, state: 'deleted' });
    } catch (error) {
      showError(error, () => void remove());
    }
  };
  if (state === 'waiting' || state === 'building')
    return (
      <>
        <p>{t('yourData.archiveWaiting')}</p>
        {total !== null && (
          <p class="soft small">
            {t('yourData.archiveProgress', {
              number: formatCount(posts),
              // More may have been posted since it was begun.
              total: formatCount(Math.max(posts, total)),
            })}
          </p>
        )}
      </>
    );
  if (state === 'failed') return <p>{t('yourData.archiveFailed')}</p>;
  if (state !== 'ready' || size === null || expiresAt === null) return null;
  return (
    <>
      <p>{t('yourData.archiveReady', { date: formatTime(expiresAt) })}</p>
      <p class="import-actions">
        <a class="button" href={`${path}/${id}/file`} download>
          {t('yourData.archiveDownload', { size: formatSize(size) })}
        </a>
        <button type="button" class="button quiet" onClick={() => void remove()}>
          {t('yourData.archiveDelete')}
        </button>
      </p>
    </>
  );
}

const formatTime = (time: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(time));

function formatSize(bytes: number): string {
  const [unit, value] = bytes < 1_000_000 ? ['kilobyte', bytes / 1_000] : ['megabyte', bytes / 1_000_000];
  return new Intl.NumberFormat(locale.value, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
