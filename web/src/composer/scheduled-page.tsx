import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { ApiError, request, requestPage, type Page } from '../api/client.ts';
import type { ScheduledStatus } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { openPath } from '../navigate.ts';
import { confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { isRemoved, removeLater } from '../ui/remove-later.ts';
import { EmptyState } from '../ui/states.tsx';
import { describeError, showError } from '../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { SavedPostTabs } from './drafts-page.tsx';
import { toLocalTime } from './more-options.tsx';
import { deleteLocalCopy } from './local-copies.ts';
import { prepareScheduledEdit, slotOf } from './start-composing.ts';
import '../ui/rows.css';
import './saved-posts.css';

const path = '/api/v1/scheduled_statuses';

/** The posts that the server will publish later. */
export function ScheduledPage() {
  const scheduled = useLoaded<readonly ScheduledStatus[]>(path, listAll);
  const found = scheduled.value?.filter(({ id }) => !isRemoved(`${path}/${id}`));
  return (
    <>
      <PageHeader title={t('scheduled.title')} hasBack />
      <SavedPostTabs />
      {found === undefined ? (
        <NotLoaded of={scheduled} count={3} />
      ) : found.length === 0 ? (
        <EmptyState title={t('scheduled.empty')}>
          <p>{t('scheduled.emptyHint')}</p>
        </EmptyState>
      ) : (
        <ul class="rows">
          {found
            .toSorted((one, other) => Date.parse(one.scheduled_at) - Date.parse(other.scheduled_at))
            .map((one) => (
              <ScheduledItem key={one.id} scheduled={one} onChanged={() => void scheduled.load()} />
            ))}
        </ul>
      )}
    </>
  );
}

/** Loads all scheduled posts, because the server lists the newest first and people want the next ones. */
async function listAll(): Promise<readonly ScheduledStatus[]> {
  const all: ScheduledStatus[] = [];
  for (let page: string | undefined = `${path}?limit=40`; page !== undefined;) {
    const { items, next }: Page<ScheduledStatus> = await requestPage<ScheduledStatus>(page);
    all.push(...items);
    page = items.length === 0 ? undefined : next;
  }
  return all;
}

interface ScheduledItemProps {
  readonly scheduled: ScheduledStatus;
  readonly onChanged: () => void;
}

function ScheduledItem({ scheduled, onChanged }: ScheduledItemProps) {
  const { id, params, scheduled_at: at } = scheduled;
  const time = new Date(at).toLocaleString(locale.value, { dateStyle: 'full', timeStyle: 'short' });
  const remove = async (): Promise<boolean> => {
    try {
      await request('DELETE', `${path}/${id}`);
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  };
  const edit = async (): Promise<void> => {
    const question = { title: t('scheduled.editTitle'), text: t('scheduled.editText'), action: t('scheduled.edit') };
    if (!(await confirm({ ...question, isDangerous: false }))) return;
    const target = prepareScheduledEdit(scheduled);
    if (await remove()) openPath(target);
    else deleteLocalCopy(slotOf({ redraft: id }));
  };
  return (
    <li class="saved-post">
      <h2 class="scheduled-time">
        <time dateTime={at}>{time}</time>
      </h2>
      <p class="saved-text" dir="auto">
        {params.text === '' ? t('drafts.noText') : params.text}
      </p>
      {scheduled.media_attachments.length > 0 && (
        <p class="soft small">{t('drafts.files', { count: scheduled.media_attachments.length })}</p>
      )}
      <p class="saved-actions">
        <button
          type="button"
          class="button quiet"
          onClick={() =>
            openDialog((close) => <TimeDialog scheduled={scheduled} onClose={close} onSaved={onChanged} />)
          }
        >
          {t('scheduled.changeTime')}
        </button>
        <button type="button" class="button quiet" onClick={() => void edit()}>
          {t('scheduled.edit')}
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => void removeLater({ text: t('scheduled.deleted'), path: `${path}/${id}` })}
        >
          {t('scheduled.delete')}
        </button>
      </p>
    </li>
  );
}

interface TimeDialogProps {
  readonly scheduled: ScheduledStatus;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function TimeDialog({ scheduled, onClose, onSaved }: TimeDialogProps) {
  const id = useId();
  const time = useSignal(toLocalTime(new Date(scheduled.scheduled_at)));
  const problem = useSignal<string | undefined>(undefined);
  const save = async (): Promise<void> => {
    try {
      const body = { scheduled_at: new Date(time.value).toISOString() };
      await request('PUT', `${path}/${scheduled.id}`, { body });
      onClose();
      onSaved();
    } catch (error) {
      problem.value = error instanceof ApiError ? error.message : describeError(error);
    }
  };
  return (
    <Dialog
      title={t('scheduled.changeTime')}
      size="small"
      onClose={onClose}
      actions={
        <button type="button" class="button" disabled={time.value === ''} onClick={() => void save()}>
          {t('scheduled.save')}
        </button>
      }
    >
      <div class="field">
        <label for={id}>{t('composer.schedule')}</label>
        <input
          id={id}
          type="datetime-local"
          value={time.value}
          onInput={(event) => (time.value = event.currentTarget.value)}
        />
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
      </div>
    </Dialog>
  );
}
