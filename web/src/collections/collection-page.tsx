import type { Account, Collection, CollectionWithAccounts } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { AccountRow, AccountSearch } from '../people/index.ts';
import { me } from '../session/session.ts';
import { prepareHtml } from '../ui/prepare-html.ts';
import { DisplayName, nameOf } from '../ui/display-name.tsx';
import { isRemoved, removeLater } from '../ui/remove-later.ts';
import { EmptyState } from '../ui/states.tsx';
import { showError, showToast } from '../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { CollectionActions } from './collection-actions.tsx';
import { addToCollection, itemOf, itemPath } from './collections.ts';
import { FollowMembers } from './follow-members.tsx';
import './collections.css';
import '../ui/rows.css';

/** A collection of accounts. Its owner changes it here, and members can leave it. */
export function CollectionPage({ id = '' }: { readonly id?: string }) {
  const loaded = useLoaded<CollectionWithAccounts>(`/api/v1/collections/${id}`);
  return (
    <>
      <PageHeader title={t('collections.one')} hasBack />
      {loaded.value === undefined ? (
        <NotLoaded of={loaded} count={3} />
      ) : (
        <LoadedCollection {...loaded.value} reload={() => loaded.load()} />
      )}
    </>
  );
}

interface LoadedProps extends CollectionWithAccounts {
  readonly reload: () => Promise<void>;
}

function LoadedCollection({ collection, accounts, reload }: LoadedProps) {
  const isMine = collection.account_id === me.value.id;
  const owner = accounts.find(({ id }) => id === collection.account_id);
  const members = accounts.filter(({ id }) => {
    const item = itemOf(collection, id);
    return item !== undefined && !isRemoved(itemPath(collection.id, item.id));
  });
  return (
    <>
      <About collection={collection} owner={owner} reload={reload} />
      {isMine && <AddAccounts collection={collection} reload={reload} />}
      {members.length === 0 && <EmptyState title={t('collections.noAccounts')} />}
      {members.length > 0 && !isMine && <FollowMembers members={members} />}
      {members.length > 0 && isMine && (
        <ul class="rows" aria-label={t('collections.accounts')}>
          {members.map((account) => (
            <li key={account.id}>
              <Member collection={collection} account={account} reload={reload} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface AboutProps {
  readonly collection: Collection;
  readonly owner: Account | undefined;
  readonly reload: () => Promise<void>;
}

function About({ collection, owner, reload }: AboutProps) {
  const { name, description, local, tag, item_count: count } = collection;
  return (
    <section class="collection-about" aria-label={name}>
      <h2 dir="auto">{name}</h2>
      <p class="soft">
        {owner !== undefined &&
          tx('collections.by', {
            name: (
              <a href={`/@${owner.acct}`}>
                <DisplayName account={owner} />
              </a>
            ),
            count,
          })}
      </p>
      {description !== null &&
        (local ? (
          <p dir="auto">{description}</p>
        ) : (
          // Sanitized by the server.
          <div dir="auto" dangerouslySetInnerHTML={{ __html: prepareHtml(description, { emojis: [] }) }} />
        ))}
      {tag !== null && (
        <p>
          <a href={`/tags/${encodeURIComponent(tag.name)}`}>#{tag.name}</a>
        </p>
      )}
      <CollectionActions collection={collection} owner={owner} reload={reload} />
    </section>
  );
}

interface AddAccountsProps {
  readonly collection: Collection;
  readonly reload: () => Promise<void>;
}

function AddAccounts({ collection, reload }: AddAccountsProps) {
  const add = async (account: Account): Promise<void> => {
    try {
      const { state } = await addToCollection(collection.id, account);
      if (state === 'pending') showToast(t('collections.asked', { name: nameOf(account) }));
      await reload();
    } catch (error) {
      showError(error, () => void add(account));
    }
  };
  return (
    <AccountSearch
      label={t('collections.search')}
      renderActions={(account) =>
        itemOf(collection, account.id) === undefined ? (
          <button
            type="button"
            class="button"
            aria-label={t('lists.addName', { name: nameOf(account) })}
            disabled={account.feature_approval.current_user === 'denied'}
            onClick={() => void add(account)}
          >
            {account.feature_approval.current_user === 'denied' ? t('collections.denied') : t('lists.add')}
          </button>
        ) : (
          <span class="soft">{t('collections.added')}</span>
        )
      }
    />
  );
}

interface MemberProps extends AddAccountsProps {
  readonly account: Account;
}

/** A member, for the owner. */
function Member({ collection, account, reload }: MemberProps) {
  const item = itemOf(collection, account.id);
  if (item === undefined) return null;
  const name = nameOf(account);
  const remove = async (): Promise<void> => {
    const text = t('lists.removedFrom', { name, list: collection.name });
    if (await removeLater({ text, path: itemPath(collection.id, item.id) })) await reload();
  };
  return (
    <AccountRow
      account={account}
      {...(item.state === 'pending' && { note: t('collections.pending') })}
      actions={
        <button
          type="button"
          class="button quiet"
          aria-label={t('lists.removeName', { name })}
          onClick={() => void remove()}
        >
          {t('lists.remove')}
        </button>
      }
    />
  );
}
