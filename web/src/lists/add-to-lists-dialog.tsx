import { request } from '../api/client.ts';
import type { Account, List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { ErrorState } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { openListForm } from './list-form.tsx';
import { lists, loadLists, setListMember } from './lists.ts';
import '../ui/choices.css';

/** The reader's lists as checkboxes: which of them contain an account. */
export function AddToListsDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const memberOf = useLoaded<ReadonlySet<string>>(account.id, async (signal) => {
    const [found] = await Promise.all([
      request<readonly List[]>('GET', `/api/v1/accounts/${account.id}/lists`, { signal }),
      loadLists(),
    ]);
    return new Set(found.map(({ id }) => id));
  });
  const toggle = async (listId: string): Promise<void> => {
    const before = memberOf.value ?? new Set<string>();
    memberOf.value = before.symmetricDifference(new Set([listId]));
    try {
      await setListMember(listId, account.id, !before.has(listId));
    } catch (error) {
      memberOf.value = before;
      showError(error, () => void toggle(listId));
    }
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
            onClick={() => openListForm(undefined, (list) => void toggle(list.id))}
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
      ) : 'error' in all ? (
        <ErrorState error={all.error} onRetry={() => void memberOf.load()} />
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
                  onChange={() => void toggle(list.id)}
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
