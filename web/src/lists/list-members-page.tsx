import { request } from '../api/client.ts';
import type { Account, List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { AccountRow, AccountSearch } from '../people/index.ts';
import { nameOf } from '../ui/display-name.tsx';
import { EmptyState } from '../ui/states.tsx';
import type { Load } from '../ui/load.ts';
import { showError } from '../ui/toasts.tsx';
import { offerUndo } from '../ui/undo.ts';
import { useChanges } from '../ui/use-changes.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { setListMember } from './lists.ts';
import '../ui/rows.css';

interface Loaded {
  readonly list: List;
  readonly members: readonly Account[];
}

/** The members of a list, with a search for followed accounts that can be added. */
export function ListMembersPage({ id = '' }: { readonly id?: string }) {
  const state = useLoaded<Loaded>(id, async (signal) => {
    const [list, members] = await Promise.all([
      request<List>('GET', `/api/v1/lists/${id}`, { signal }),
      request<readonly Account[]>('GET', `/api/v1/lists/${id}/accounts`, { query: { limit: 0 }, signal }),
    ]);
    return { list, members };
  });
  const loaded = state.value;
  const title = loaded === undefined ? t('lists.members') : loaded.list.title;
  return (
    <>
      <PageHeader
        title={title}
        hasBack
        actions={
          <a class="button quiet" href={`/lists/${id}`}>
            {t('lists.open')}
          </a>
        }
      />
      {loaded === undefined ? (
        <NotLoaded of={state} count={3} />
      ) : (
        <Members listId={id} members={loaded.members} state={state} />
      )}
    </>
  );
}

const includes = (members: readonly Account[], account: Account): boolean =>
  members.some(({ id }) => id === account.id);

interface MembersProps {
  readonly listId: string;
  readonly members: readonly Account[];
  readonly state: Load<Loaded>;
}

function Members({ listId, members, state }: MembersProps) {
  const changes = useChanges(state);
  const change = (account: Account, isMember: boolean): void => {
    const name = nameOf(account);
    offerUndo(isMember ? t('lists.added', { name }) : t('lists.removed', { name }), () => set(account, !isMember));
    set(account, isMember);
  };
  const set = (account: Account, isMember: boolean): void =>
    void changes.make(listId, {
      name: account.id,
      apply({ members: before }) {
        const others = before.filter(({ id }) => id !== account.id);
        return { members: isMember ? [account, ...others] : others };
      },
      isIn: (loaded) => includes(loaded.members, account) === isMember,
      send: () => setListMember(listId, account.id, isMember).then(() => undefined),
      onError: (error) => showError(error, () => set(account, isMember)),
    });
  const button = (account: Account) => {
    const isMember = includes(members, account);
    const name = nameOf(account);
    return (
      <button
        type="button"
        class={isMember ? 'button quiet' : 'button'}
        aria-label={isMember ? t('lists.removeName', { name }) : t('lists.addName', { name })}
        onClick={() => change(account, !isMember)}
      >
        {isMember ? t('lists.remove') : t('lists.add')}
      </button>
    );
  };
  return (
    <>
      <AccountSearch label={t('lists.search')} onlyFollowed renderActions={button} />
      {members.length === 0 ? (
        <EmptyState title={t('lists.noMembers')}>
          <p>{t('lists.noMembersHint')}</p>
        </EmptyState>
      ) : (
        <ul class="rows" aria-label={t('lists.members')}>
          {members.map((account) => (
            <li key={account.id}>
              <AccountRow account={account} actions={button(account)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
