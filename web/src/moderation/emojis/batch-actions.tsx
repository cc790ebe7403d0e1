import { request } from '../../api/client.ts';
import type { FieldfareAdminCustomEmoji, FieldfareAdminCustomEmojiBatch } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
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

/** The buttons for selected emojis: those that can change at least one of them. */
export function BatchActions({ selection }: { readonly selection: Emojis }) {
  const { items } = selection;
  const local = items.filter(({ domain }) => domain === null);
  const change = (what: Change) => () => void changeSelected(selection, what).catch(showError);
  const buttons: readonly (readonly [label: string, isUseful: boolean, run: () => void])[] = [
    [
      t('serverEmojis.copy'),
      items.some(({ local_id: localId }) => localId === null),
      () => askForCategory(selection, { action: 'copy', title: t('serverEmojis.copy') }),
    ],
    [
      t('serverEmojis.setCategory'),
      local.length > 0,
      () => askForCategory(selection, { action: 'update', title: t('serverEmojis.setCategory') }),
    ],
    [
      t('serverEmojis.visible'),
      local.some(({ visible_in_picker: isVisible }) => !isVisible),
      change({ action: 'update', visible_in_picker: true }),
    ],
    [
      t('serverEmojis.hide'),
      local.some(({ visible_in_picker: isVisible }) => isVisible),
      change({ action: 'update', visible_in_picker: false }),
    ],
    [t('serverEmojis.enable'), items.some(({ disabled }) => disabled), change({ action: 'enable' })],
    [t('serverEmojis.disable'), items.some(({ disabled }) => !disabled), change({ action: 'disable' })],
  ];
  return (
    <>
      {buttons.map(
        ([label, isUseful, run]) =>
          isUseful && (
            <button key={label} type="button" class="button quiet" onClick={run}>
              {label}
            </button>
          ),
      )}
      {local.length > 0 && (
        <button
          type="button"
          class="button danger"
          onClick={() => void deleteSelected(selection, local.length).catch(showError)}
        >
          {t('serverEmojis.delete')}
        </button>
      )}
    </>
  );
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
  const action = t('serverEmojis.delete');
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
    list.items.value = list.items
      .peek()
      .flatMap((emoji) => changed.get(emoji.id) ?? (sent.has(emoji.id) ? [] : [emoji]));
    for (const { id, error } of result.errors) problems.set(id, error);
    selection.problems.value = new Map(problems);
    selection.keys.value = new Set([...problems.keys(), ...ids.slice(start + maxBatchSize)]);
  }
  const number = ids.length - problems.size;
  if (number > 0) showToast(t(change.action === 'copy' ? 'serverEmojis.copying' : 'serverEmojis.changed', { number }));
  if (problems.size > 0) showToast(t('serverEmojis.notChanged', { number: problems.size }), { kind: 'error' });
}
