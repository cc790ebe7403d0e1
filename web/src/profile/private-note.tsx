import pencil from '@phosphor-icons/core/regular/note-pencil.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { saveNote } from '../people/index.ts';
import { relationshipOf } from '../store/relationships.ts';
import { CancelButton } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { limitInput } from '../ui/limit-input.ts';
import { describeError } from '../ui/toasts.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';

/** The reader's private note about an account, edited in place. */
export function PrivateNote({ account }: { readonly account: Account }) {
  const isEditing = useSignal(false);
  const note = relationshipOf(account.id).value?.note;
  if (note === undefined) return null;
  if (isEditing.value) return <NoteForm account={account} note={note} onClose={() => (isEditing.value = false)} />;
  return (
    <div class="private-note">
      {note !== '' && (
        <>
          <h3>{t('profile.note')}</h3>
          <p dir="auto">{note}</p>
        </>
      )}
      <button type="button" class="link small" onClick={() => (isEditing.value = true)}>
        <Icon svg={pencil} />
        {note === '' ? t('profile.addNote') : t('profile.editNote')}
      </button>
    </div>
  );
}

interface NoteFormProps {
  readonly account: Account;
  readonly note: string;
  readonly onClose: () => void;
}

function NoteForm({ account, note, onClose }: NoteFormProps) {
  const id = useId();
  const text = useSignal(note);
  const problem = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const [save, isSaving] = useSingleRun(async () => {
    try {
      await saveNote(account, text.value);
      onClose();
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  return (
    <form
      class="private-note field"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label for={id}>{t('profile.note')}</label>
      <span class="hint">{t('profile.noteHint')}</span>
      <textarea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        value={text.value}
        onInput={limitInput(2_000, (typed) => (text.value = typed))}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <span class="problem" role="alert">
        {problem.value}
      </span>
      <span class="form-buttons">
        <CancelButton onClick={onClose} />
        <button type="submit" class="button" disabled={isSaving}>
          {t('profile.saveNote')}
        </button>
      </span>
    </form>
  );
}
