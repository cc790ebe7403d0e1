import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import { withQuery } from '../api/client.ts';
import type { Account, Collections } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { me } from '../session/session.ts';
import { nameOf } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { isRemoved } from '../ui/remove-later.ts';
import { EmptyState } from '../ui/states.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { openCollectionForm } from './collection-form.tsx';
import { pathOf } from './collections.ts';
import { CollectionRow } from './collection-row.tsx';
import './collections.css';
import '../ui/rows.css';

/** The collections of an account. Its owner can create collections here, and also sees those that contain the account. */
export function CollectionList({ account }: { readonly account: Account }) {
  const isMine = account.id === me.value.id;
  return (
    <>
      <CollectionSection
        title={t('collections.title')}
        path={`/api/v1/accounts/${account.id}/collections`}
        emptyText={isMine ? t('collections.emptyOwn') : t('collections.empty', { name: nameOf(account) })}
        {...(isMine && { emptyHint: t('collections.emptyHint') })}
        canCreate={isMine}
      />
      {isMine && (
        <CollectionSection
          title={t('collections.featuringYou')}
          path={`/api/v1/accounts/${account.id}/in_collections`}
          emptyText={t('collections.notFeatured')}
        />
      )}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly path: string;
  readonly emptyText: string;
  readonly emptyHint?: string;
  readonly canCreate?: boolean;
}

function CollectionSection({ title, path, emptyText, emptyHint, canCreate = false }: SectionProps) {
  const loaded = useLoaded<Collections>(withQuery(path, { limit: 80 }));
  const list = loaded.value?.collections.filter((collection) => !isRemoved(pathOf(collection)));
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h3 class="profile-section">{title}</h3>
        {canCreate && (
          <button
            type="button"
            class="button"
            onClick={() => openCollectionForm(undefined, ({ id }) => openPath(`/collections/${id}`))}
          >
            <Icon svg={plus} />
            {t('collections.new')}
          </button>
        )}
      </div>
      {list === undefined ? (
        <NotLoaded of={loaded} count={2} />
      ) : list.length === 0 ? (
        <EmptyState title={emptyText}>{emptyHint !== undefined && <p>{emptyHint}</p>}</EmptyState>
      ) : (
        <ul class="rows" aria-label={title}>
          {list.map((collection) => (
            <li key={collection.id}>
              <CollectionRow collection={collection} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
