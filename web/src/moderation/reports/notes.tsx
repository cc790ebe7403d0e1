import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import { t } from '../../i18n/translate.tsx';
import { limitInput } from '../../ui/limit-input.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';

interface Note {
  readonly id: string;
  readonly content: string;
  readonly created_at: string;
  readonly author?: { readonly username: string } | null;
}

interface NotesProps {
  readonly title: string;
  /** The list of notes in the API; a new one is posted there. */
  readonly path: string;
  /** The path of a note, if it is not below `path`. */
  readonly notePath?: string;
  readonly notes: readonly Note[];
  readonly onChange: (notes: readonly Note[]) => void;
}

/** Notes that only staff see, and a field for a new one. */
export function Notes({ title, path, notePath = path, notes, onChange }: NotesProps) {
  const text = useSignal('');
  const id = useId();
  const [add, isAdding] = useSingleRun(async (): Promise<void> => {
    if (text.value.trim() === '') return;
    try {
      const note = await request<Note>('POST', path, { body: { content: text.value } });
      text.value = '';
      onChange([note, ...notes]);
    } catch (error) {
      showError(error, () => void add());
    }
  });
  const remove = async (note: Note): Promise<void> => {
    onChange(notes.filter((one) => one !== note));
    try {
      await request('DELETE', `${notePath}/${note.id}`);
    } catch (error) {
      onChange(notes);
      showError(error);
    }
  };
  return (
    <details open={notes.length > 0}>
      <summary>{title}</summary>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note.id}>
            <p dir="auto">{note.content}</p>
            <span class="small soft">
              {note.author?.username !== undefined && `@${note.author.username} · `}
              <RelativeTime time={note.created_at} />{' '}
            </span>
            <button type="button" class="link small" onClick={() => void remove(note)}>
              {t('notes.delete')}
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <div class="field">
          <label htmlFor={id}>{t('notes.new')}</label>
          <textarea id={id} rows={2} value={text.value} onInput={limitInput(2000, (typed) => (text.value = typed))} />
        </div>
        <button type="submit" class="button quiet" disabled={isAdding}>
          {t('notes.add')}
        </button>
      </form>
    </details>
  );
}
