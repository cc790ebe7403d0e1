import { request } from '../api/client.ts';
import type { Account, List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { MembershipDialog, useMemberships } from '../ui/membership-dialog.tsx';
import { offerUndo } from '../ui/undo.ts';
import { useLoaded } from '../ui/use-loaded.tsx';
import { openListForm } from './list-form.tsx';
import { lists, loadLists, setListMember } from './lists.ts';

/** The reader's lists as checkboxes: which of them contain an account. */
export function AddToListsDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const memberOf = useLoaded<ReadonlySet<string>>(account.id, async (signal) => {
    const [found] = await Promise.all([
      request<readonly List[]>('GET', `/api/v1/accounts/${account.id}/lists`, { signal }),
      loadLists(signal),
    ]);
    return new Set(found.map(({ id }) => id));
  });
  const set = useMemberships(memberOf, (listId, isMember) => setListMember(listId, account.id, isMember));
  const all = lists.value;
  return (
    <MembershipDialog
      title={t('lists.addNameTo', { name: nameOf(account) })}
      legend={t('lists.title')}
      hint={all?.length === 0 ? t('lists.emptyHint') : undefined}
      groups={all?.map(({ id, title }) => ({ id, name: title }))}
      memberOf={memberOf}
      onChange={({ id, name }, isMember) => {
        const names = { name: nameOf(account), list: name };
        offerUndo(isMember ? t('lists.addedTo', names) : t('lists.removedFrom', names), () => set(id, !isMember));
        void set(id, isMember);
      }}
      create={{ label: t('lists.new'), open: () => openListForm(undefined, (list) => void set(list.id, true)) }}
      onClose={onClose}
    />
  );
}
