import { request } from '../../api/client.ts';
import type { FieldfareAdminCustomEmoji, FieldfareAdminCustomEmojiBatch } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, type MenuItem, type MenuItems } from '../../ui/menu.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { Form } from '../form/form.tsx';
import type { Selection } from '../list/selection.tsx';

const path = '/api/v1/fieldfare/admin/custom_emojis/batch';
/** Emojis of one request. */
const maxBatchSize = 200;

type Emojis = Selection<FieldfareAdminCustomEmoji>;

/** A change of selected emojis, as the API takes it. */
interface Change {
  readonly action: 'update' | 'enable' | 'disable' | 'delete' | 'copy';
  readonly category?: string;
  readonly visible_in_picker?: boolean;
}

/** The menu for selected emojis: what can change at least one of them. */
export function BatchActions({ selection }: { readonly selection: Emojis }) {
  const label = t('serverEmojis.changeSelected');
  return <Menu label={label} button={label} buttonClass="button" items={() => itemsFor(selection)} />;
}

function itemsFor(selection: Emojis): MenuItems {
  const { items } = selection;
  const local = items.filter(({ domain }) => domain === null);
  const change = (label: string, isUseful: boolean, what: Change): MenuItem | undefined =>
    isUseful ? { label, onSelect: () => void changeSelected(selection, what).catch(showError) } : undefined;
  const ask = (title: string, isUseful: boolean, action: 'copy' | 'update'): MenuItem | undefined =>
    isUseful ? { label: title, onSelect: () => askForCategory(selection, { action, title }) } : undefined;
  const hasVisible = local.some(({ visible_in_picker: isVisible }) => isVisible);
  const hasHidden = local.some(({ visible_in_picker: isVisible }) => !isVisible);
  return [
    ask(
      t('serverEmojis.copy'),
      items.some(({ local_id: localId }) => localId === null),
      'copy',
    ),
    ask(t('serverEmojis.setCategory'), local.length > 0, 'update'),
    change(t('serverEmojis.visible'), hasHidden, { action: 'update', visible_in_picker: true }),
    change(t('serverEmojis.hide'), hasVisible, { action: 'update', visible_in_picker: false }),
    change(
      t('serverEmojis.enable'),
      items.some(({ disabled }) => disabled),
      { action: 'enable' },
    ),
    change(
      t('serverEmojis.disable'),
      items.some(({ disabled }) => !disabled),
      { action: 'disable' },
    ),
    local.length === 0
      ? undefined
      : {
          label: t('serverEmojis.deleteMany'),
          isDangerous: true,
          onSelect: () => void deleteSelected(selection, local.length).catch(showError),
        },
  ];
}

function askForCategory(
  selection: Emojis,
  { action, title }: { readonly action: 'copy' | 'update'; readonly title: string },
): void {
  const hint = action === 'copy' ? t('serverEmojis.copyHint') : t('serverEmojis.categoryHint');
  const fields: readonly FieldSpec[] = [
    { name: 'category', label: t('serverEmojis.category'), kind: 'text', hint, maxLength: 100 },
  ];
  openDialog((close) => (
    <Dialog title={title} size="small" onClose={close}>
      <Form
        fields={fields}
        initial={{ category: '' }}
        submitLabel={title}
        onCancel={close}
        onSubmit={async ({ category }) => {
          await changeSelected(selection, { action, category: String(category) });
          close();
        }}
      />
    </Dialog>
  ));
}

async function deleteSelected(selection: Emojis, number: number): Promise<void> {
  const text = t('serverEmojis.deleteManyText', { number });
  const action = t('serverEmojis.deleteMany');
  if (await confirm({ title: action, text, action })) await changeSelected(selection, { action: 'delete' });
}

/** Changes the selected emojis. Those that were not changed stay selected, with the reason. */
async function changeSelected(selection: Emojis, change: Change): Promise<void> {
  const { list } = selection;
  const ids = selection.items.map(({ id }) => id);
  const problems = new Map<string, string>();
  for (let start = 0; start < ids.length; start += maxBatchSize) {
    const batch = ids.slice(start, start + maxBatchSize);
    const result = await request<FieldfareAdminCustomEmojiBatch>('POST', path, { body: { ids: batch, ...change } });
    const changed = new Map(result.emojis.map((emoji) => [emoji.id, emoji]));
    const sent = new Set(batch);
    list.change((emojis) => emojis.flatMap((emoji) => changed.get(emoji.id) ?? (sent.has(emoji.id) ? [] : [emoji])));
    for (const { id, error } of result.errors) problems.set(id, error);
    selection.problems.value = new Map(problems);
    selection.keys.value = new Set([...problems.keys(), ...ids.slice(start + maxBatchSize)]);
  }
  const number = ids.length - problems.size;
  if (number > 0) showToast(t(change.action === 'copy' ? 'serverEmojis.copying' : 'serverEmojis.changed', { number }));
  if (problems.size > 0) showToast(t('serverEmojis.notChanged', { number: problems.size }), { kind: 'error' });
}
