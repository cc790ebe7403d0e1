import { useState } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Account, BookmarkFolder, List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import type { Column } from '../session/settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import { describeError } from '../ui/toasts.tsx';
import type { NewColumn } from './column-actions.ts';
import { fixedKinds, otherKinds, splitTags, titleOf } from './column-sources.ts';
import { useSingleRun } from '../ui/use-single-run.ts';
import { useLoaded } from '../ui/use-loaded.tsx';

interface AddColumnDialogProps {
  /** The columns that are shown. */
  readonly columns: readonly Column[];
  readonly onAdd: (column: NewColumn) => void;
  readonly onClose: () => void;
}

/** Chooses what a new column shows. */
export function AddColumnDialog({ columns, onAdd, onClose }: AddColumnDialogProps) {
  // Without the lists and folders the other columns can still be chosen.
  const lists = useLoaded<readonly List[]>('/api/v1/lists').value ?? [];
  const folders = useLoaded<readonly BookmarkFolder[]>('/api/v1/fieldfare/bookmark_folders').value ?? [];
  const add = (column: NewColumn): void => {
    onClose();
    onAdd(column);
  };
  // A second one would write the same draft.
  const hasComposer = columns.some(({ source }) => source === 'composer');
  const choices: readonly NewColumn[] = [
    ...[...fixedKinds, ...otherKinds]
      .filter((source) => source !== 'composer' || !hasComposer)
      .map((source) => ({ source })),
    ...lists.map(({ id, title }) => ({ source: `list:${id}`, label: title })),
    ...folders.map(({ id, name }) => ({ source: `folder:${id}`, label: name })),
  ];
  return (
    <Dialog title={t('deck.add')} onClose={onClose}>
      <ul class="column-choices">
        {choices.map((choice) => (
          <li key={choice.source}>
            <button type="button" class="button quiet" onClick={() => add(choice)}>
              {titleOf(choice)}
            </button>
          </li>
        ))}
      </ul>
      <NamedColumn
        label={t('deck.hashtag')}
        find={(names) => ({ source: `tag:${splitTags(names).join(',')}` })}
        onFound={add}
      />
      <NamedColumn label={t('deck.account')} find={findAccount} onFound={add} />
      <NamedColumn label={t('deck.search')} find={(query) => ({ source: `search:${query}` })} onFound={add} />
    </Dialog>
  );
}

async function findAccount(name: string): Promise<NewColumn> {
  const query = { acct: name.replace(/^@/, '') };
  const { id, acct } = await request<Account>('GET', '/api/v1/accounts/lookup', { query });
  return { source: `account:${id}`, label: acct };
}

interface NamedColumnProps {
  readonly label: string;
  readonly find: (name: string) => NewColumn | Promise<NewColumn>;
  readonly onFound: (column: NewColumn) => void;
}

/** A column that is named by a text. */
function NamedColumn({ label, find, onFound }: NamedColumnProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [submit, isSearching] = useSingleRun(async () => {
    try {
      onFound(await find(name.trim()));
    } catch (error) {
      setProblem(describeError(error));
    }
  });
  return (
    <form
      class="column-named"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        {label}
        <input
          type="text"
          dir="auto"
          required
          pattern=".*\S.*"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button quiet" disabled={isSearching} aria-label={t('deck.addOf', { label })}>
        {t('deck.addShort')}
      </button>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </form>
  );
}
