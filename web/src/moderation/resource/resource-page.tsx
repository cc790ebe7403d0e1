import dots from '@phosphor-icons/core/regular/dots-three.svg?raw';
import type { ComponentChildren } from 'preact';
import { request, withQuery } from '../../api/client.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError } from '../../ui/toasts.tsx';
import { Form } from '../form/form.tsx';
import { emptyValues, toBody, type FieldSpec, type FormValues } from '../form/fields.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import type { Filter } from '../list/filter-values.ts';
import { FilterBar, useFilters } from '../list/filters.tsx';
import { ItemList } from '../list/item-list.tsx';
import { SelectionBar, SelectItem, useSelection, type Selection } from '../list/selection.tsx';
import type { Permission } from '../../session/permissions.ts';
import { type Pages, usePages } from '../../store/pages.ts';
import { putItem } from '../list/listed.ts';

interface Identified {
  readonly id: string;
}

/** Something that staff list, add, change and delete. */
export interface Resource<Item extends Identified> {
  readonly title: string;
  readonly permissions: readonly Permission[];
  /** The path of its list in the API; a new one is posted there, and one is at `path/id`. */
  readonly path: string;
  /** What it is for, above the list. */
  readonly intro?: string;
  readonly empty: string;
  readonly filters?: readonly Filter[];
  /** The label of the button for a new one; without one, none can be added. */
  readonly addLabel?: string;
  readonly fields?: readonly FieldSpec[];
  /** The fields that can be changed; without them, it cannot. */
  readonly editFields?: readonly FieldSpec[];
  readonly toValues?: (item: Item) => FormValues;
  /** Completes the body of a request. */
  readonly prepareBody?: (body: Record<string, unknown>) => object;
  /** Its name, which buttons mention. */
  readonly nameOf: (item: Item) => string;
  readonly render: (item: Item) => ComponentChildren;
  /** What else can be done. The list is there for changes. */
  readonly actions?: (item: Item, list: Pages<Item>) => readonly (MenuItem | undefined)[];
  /** What deleting it means; without it, it cannot be deleted. */
  readonly deletion?: { readonly label: string; readonly text: (item: Item) => string };
  /** Other buttons beside that for a new one. */
  readonly renderExtra?: (list: Pages<Item>) => ComponentChildren;
  /** What can be done with selected items; without it, none can be selected. */
  readonly renderSelection?: (selection: Selection<Item>) => ComponentChildren;
  /** Where the list of the server has a new one. Default: first. */
  readonly newPlace?: 'first' | 'last';
  /** Called with the response for a new one. */
  readonly onAdded?: (item: Item) => void;
}

/** The page of a resource. */
export function ResourcePage<Item extends Identified>({ resource }: { readonly resource: Resource<Item> }) {
  return (
    <ModerationPage title={resource.title} permissions={resource.permissions}>
      <ResourceList resource={resource} />
    </ModerationPage>
  );
}

function ResourceList<Item extends Identified>({ resource }: { readonly resource: Resource<Item> }) {
  const { filters = [], fields, addLabel, intro, renderExtra } = resource;
  const of = useFilters(Object.fromEntries(filters.map(({ name }) => [name, ''])));
  const { values } = of;
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const list = usePages<Item>(withQuery(resource.path, query));
  const selection = useSelection(list);
  return (
    <>
      <div class="section-box">
        {intro !== undefined && <p class="soft intro">{intro}</p>}
        <div class="buttons">
          {addLabel !== undefined && fields !== undefined && (
            <button type="button" class="button" onClick={() => openForm(resource, list)}>
              {addLabel}
            </button>
          )}
          {renderExtra?.(list)}
        </div>
      </div>
      {filters.length > 0 && <FilterBar label={t('moderation.filters')} filters={filters} of={of} />}
      {resource.renderSelection && (
        <SelectionBar selection={selection}>{resource.renderSelection(selection)}</SelectionBar>
      )}
      <ItemList
        list={list}
        label={resource.title}
        empty={Object.keys(query).length === 0 ? resource.empty : t('moderation.noneMatch')}
        renderItem={(item) => <Row resource={resource} item={item} selection={selection} />}
      />
    </>
  );
}

interface RowProps<Item extends Identified> {
  readonly resource: Resource<Item>;
  readonly item: Item;
  readonly selection: Selection<Item>;
}

function Row<Item extends Identified>({ resource, item, selection }: RowProps<Item>) {
  const { editFields, actions, deletion, renderSelection } = resource;
  const { list } = selection;
  const problem = selection.problems.value.get(item.id);
  const items: (MenuItem | undefined)[] = [
    editFields && { label: t('moderation.edit'), onSelect: () => openForm(resource, list, item) },
    ...(actions?.(item, list) ?? []),
    deletion && {
      label: deletion.label,
      isDangerous: true,
      onSelect: () => void deleteItem(resource, list, item),
    },
  ];
  return (
    <div class="item">
      {renderSelection && <SelectItem selection={selection} item={item} name={resource.nameOf(item)} />}
      <div class="item-text">
        {resource.render(item)}
        {problem !== undefined && <p class="small problem">{problem}</p>}
      </div>
      {items.some((one) => one !== undefined) && (
        <Menu
          label={t('moderation.actionsFor', { name: resource.nameOf(item) })}
          button={<Icon svg={dots} />}
          items={items}
        />
      )}
    </div>
  );
}

/** Opens the form of a new item, or of an existing one. */
function openForm<Item extends Identified>(resource: Resource<Item>, list: Pages<Item>, item?: Item): void {
  const { fields = [], editFields = [], toValues, prepareBody, path, addLabel = '' } = resource;
  const shown = item === undefined ? fields : editFields;
  openDialog((close) => (
    <Dialog title={item === undefined ? addLabel : resource.nameOf(item)} onClose={close}>
      <Form
        fields={shown}
        initial={{ ...emptyValues(shown), ...(item !== undefined && toValues?.(item)) }}
        submitLabel={t('moderation.save')}
        onCancel={close}
        onSubmit={async (values) => {
          const plain = toBody(shown, values);
          const body = prepareBody?.(plain) ?? plain;
          const target = item === undefined ? path : `${path}/${item.id}`;
          const saved = await request<Item>(item === undefined ? 'POST' : 'PUT', target, { body });
          putItem(list, saved, resource.newPlace);
          close();
          if (item === undefined) resource.onAdded?.(saved);
        }}
      />
    </Dialog>
  ));
}

async function deleteItem<Item extends Identified>(
  resource: Resource<Item>,
  list: Pages<Item>,
  item: Item,
): Promise<void> {
  const { deletion, path, nameOf } = resource;
  if (deletion === undefined) return;
  const title = nameOf(item);
  if (!(await confirm({ title, text: deletion.text(item), action: deletion.label }))) return;
  const restore = list.removeWhere(({ id }) => id === item.id);
  try {
    await request('DELETE', `${path}/${item.id}`);
  } catch (error) {
    restore();
    showError(error, () => void deleteItem(resource, list, item));
  }
}

/** Returns a menu entry that posts to a path below the item, and shows the response in its place. */
export const postAction = <Item extends Identified>(
  label: string,
  { list, path }: { readonly list: Pages<Item>; readonly path: string },
): MenuItem => ({
  label,
  onSelect: () => void request<Item>('POST', path).then((item) => putItem(list, item), showError),
});
