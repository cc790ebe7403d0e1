import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { FieldfareDomainAllowImport, FieldfareDomainBlockImport } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import './table.css';

type Kind = 'domain_blocks' | 'domain_allows';
type Preview = FieldfareDomainBlockImport | FieldfareDomainAllowImport;

interface ImportButtonProps {
  readonly kind: Kind;
  readonly onDone: () => void;
}

/** Buttons that import a list of domains, with a preview, and export the present one. */
export function ImportButton({ kind, onDone }: ImportButtonProps) {
  return (
    <>
      <button
        type="button"
        class="button quiet"
        onClick={() => openDialog((close) => <ImportDialog kind={kind} onClose={close} onDone={onDone} />)}
      >
        {t('domainImport.open')}
      </button>
      <button type="button" class="button quiet" onClick={() => void exportList(kind)}>
        {t('domainImport.export')}
      </button>
    </>
  );
}

async function exportList(kind: Kind): Promise<void> {
  try {
    const { me } = await import('../../session/session.ts');
    const response = await fetch(`/api/v1/fieldfare/admin/${kind}/export`, {
      credentials: 'same-origin',
      headers: { 'fieldfare-account': me.peek().id },
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const url = URL.createObjectURL(await response.blob());
    const link = Object.assign(document.createElement('a'), { href: url, download: `${kind}.csv` });
    link.click();
    URL.revokeObjectURL(url);
  } catch (error) {
    showError(error, () => void exportList(kind));
  }
}

interface ImportDialogProps extends ImportButtonProps {
  readonly onClose: () => void;
}

function ImportDialog({ kind, onClose, onDone }: ImportDialogProps) {
  const csv = useSignal('');
  const weaken = useSignal(false);
  const preview = useSignal<Preview | undefined>(undefined);
  const id = useId();
  const send = async (isPreview: boolean): Promise<void> => {
    try {
      const body = { csv: csv.value, dry_run: isPreview, ...(kind === 'domain_blocks' && { weaken: weaken.value }) };
      const result = await request<Preview>('POST', `/api/v1/fieldfare/admin/${kind}/import`, { body });
      if (isPreview) {
        preview.value = result;
        return;
      }
      showToast(t('domainImport.done', { count: result.applied }));
      onDone();
      onClose();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Dialog
      title={t('domainImport.open')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button quiet" disabled={csv.value.trim() === ''} onClick={() => void send(true)}>
            {t('domainImport.preview')}
          </button>
          <button type="button" class="button" disabled={preview.value === undefined} onClick={() => void send(false)}>
            {t('domainImport.apply')}
          </button>
        </>
      }
    >
      <div class="field">
        <label htmlFor={`${id}-file`}>{t('domainImport.file')}</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".csv,text/csv"
          onChange={(event) =>
            void event.currentTarget.files?.[0]?.text().then((text) => {
              csv.value = text;
              preview.value = undefined;
            })
          }
        />
      </div>
      <div class="field">
        <label htmlFor={`${id}-text`}>{t('domainImport.text')}</label>
        <textarea
          id={`${id}-text`}
          rows={6}
          value={csv.value}
          onInput={(event) => {
            csv.value = event.currentTarget.value;
            preview.value = undefined;
          }}
        />
        <span class="hint">{t('domainImport.hint')}</span>
      </div>
      {kind === 'domain_blocks' && (
        <label class="check">
          <input
            type="checkbox"
            checked={weaken.value}
            onChange={(event) => {
              weaken.value = event.currentTarget.checked;
              preview.value = undefined;
            }}
          />
          {t('domainImport.weaken')}
        </label>
      )}
      {preview.value !== undefined && <PreviewTable preview={preview.value} />}
    </Dialog>
  );
}

function PreviewTable({ preview }: { readonly preview: Preview }) {
  const rows =
    'blocks' in preview
      ? preview.blocks.map(({ domain, change, listed, lost_following: following, lost_followers: followers }) => ({
          domain,
          change: t(`change.${change}`),
          note: [
            t(`severity.${listed.severity}`),
            following + followers > 0 ? t('domainImport.lost', { count: following + followers }) : '',
          ]
            .filter((part) => part !== '')
            .join(' · '),
        }))
      : preview.domains.map(({ domain, change }) => ({ domain, change: t(`change.${change}`), note: '' }));
  return (
    <div role="region" aria-label={t('domainImport.preview')}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('servers.domain')}</th>
            <th scope="col">{t('domainImport.change')}</th>
            <th scope="col">{t('servers.severity')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ domain, change, note }) => (
            <tr key={domain}>
              <td>{domain}</td>
              <td>{change}</td>
              <td>{note}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {preview.rejected.map(({ line, domain, error }) => (
        <p key={line} class="problem">
          {t('domainImport.rejected', { line, domain, error })}
        </p>
      ))}
    </div>
  );
}
