import stack from '@phosphor-icons/core/regular/stack.svg?raw';
import type { Collection } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { plainText } from '../people/index.ts';
import { Icon } from '../ui/icon.tsx';
import '../ui/account-row.css';

/** A collection in a list: its name, how many accounts it has, and what it is about. */
export function CollectionRow({ collection }: { readonly collection: Collection }) {
  const { id, name, description, item_count: count, local, discoverable } = collection;
  return (
    <div class="account-row">
      <span class="collection-mark">
        <Icon svg={stack} />
      </span>
      <div class="account-row-text">
        <a class="account-row-name" href={`/collections/${id}`}>
          <strong class="one-line" dir="auto">
            {name}
          </strong>
          <span class="one-line soft small">{t('collections.accountCount', { count })}</span>
        </a>
        {description !== null && description !== '' && (
          <p class="account-row-bio soft small" dir="auto">
            {local ? description : plainText(description)}
          </p>
        )}
        {!discoverable && <span class="badge">{t('collections.unlisted')}</span>}
      </div>
    </div>
  );
}
