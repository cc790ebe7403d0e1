import { useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Account, List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Changes, setFields } from '../store/changes.ts';
import { nameOf } from '../ui/display-name.tsx';
import { showError } from '../ui/toasts.tsx';
import { offerUndo } from '../ui/undo.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { openListForm } from './list-form.tsx';
import { lists, loadLists, setListMember } from './lists.ts';
import '../ui/choices.css';

/** The reader's lists as checkboxes: which of them contain an account. */
export function AddToListsDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const memberOf = useLoaded<ReadonlySet<string>>(account.id, async (signal) => {
    const [found] = await Promise.all([
      request<readonly List[]>('GET', `/api/v1/accounts/${account.id}/lists`, { signal }),
      loadLists(signal),
    ]);
    return new Set(found.map(({ id }) => id));
  });
  const changes = useMemo(
    () =>
      new Changes<{ readonly isMember: boolean }>({
        peek: (listId) => ({ isMember: memberOf.value?.has(listId) === true }),
        show(listId, { isMember }) {
          const others = [...(memberOf.value ?? [])].filter((id) => id !== listId);
          memberOf.value = new Set(isMember ? [...others, listId] : others);
        },
      }),
    [memberOf],
  );
  const set = async (listId: string, isMember: boolean): Promise<void> => {
    const send = () => setListMember(listId, account.id, isMember).then(() => ({ isMember }));
    const onError = (error: unknown) => showError(error, () => void set(listId, isMember));
    await changes.make(listId, setFields({ isMember }, { send, onError }));
  };
  const change = (list: List, isMember: boolean): void => {
    const names = { name: nameOf(account), list: list.title };
    offerUndo(isMember ? t('lists.addedTo', names) : t('lists.removedFrom', names), () => set(list.id, !isMember));
    void set(list.id, isMember);
  };
  const all = lists.value;
  return (
    <Dialog
      title={t('lists.addNameTo', { name: nameOf(account) })}
      size="small"
      onClose={onClose}
      actions={
        <>
          <button
            type="button"
            class="button quiet"
            onClick={() => openListForm(undefined, (list) => void set(list.id, true))}
          >
            {t('lists.new')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('people.done')}
          </button>
        </>
      }
    >
      {memberOf.value === undefined || all === undefined ? (
        <NotLoaded of={memberOf} count={1} />
      ) : (
        <fieldset class="plain">
          <legend class="visually-hidden">{t('lists.title')}</legend>
          {all.length === 0 && <p>{t('lists.emptyHint')}</p>}
          <div class="choices">
            {all.map((list) => (
              <label key={list.id} class="choice">
                <input
                  type="checkbox"
                  checked={memberOf.value?.has(list.id) === true}
                  onChange={(event) => change(list, event.currentTarget.checked)}
                />
                <span dir="auto">{list.title}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Dialog>
  );
}
