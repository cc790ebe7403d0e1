import { useId, useState } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Import } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { describeError } from '../../ui/toasts.tsx';
import { Choice } from '../controls.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';

const types = [
  'following',
  'blocks',
  'mutes',
  'domain_blocks',
  'lists',
  'bookmarks',
] as const satisfies Import['type'][];

/** Sends a file to the server, which checks it and changes nothing yet. */
export function ImportForm({ onChecked }: { readonly onChecked: (imported: Import) => void }) {
  const [type, setType] = useState<Import['type']>('following');
  const [mode, setMode] = useState<Import['mode']>('merge');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const [check, isBusy] = useSingleRun(async (form: HTMLFormElement) => {
    const file = form.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0];
    if (file === undefined) return;
    setProblem(undefined);
    try {
      const body = { type, mode, csv: await file.text() };
      onChecked(await request<Import>('POST', '/api/v1/fieldfare/imports', { body }));
      form.reset();
    } catch (error) {
      setProblem(describeError(error));
    }
  });
  return (
    <form
      class="import-form"
      onSubmit={(event) => {
        event.preventDefault();
        void check(event.currentTarget);
      }}
    >
      <div class="field">
        <label for={`${id}-type`}>{t('yourData.type')}</label>
        <select
          id={`${id}-type`}
          value={type}
          onChange={({ currentTarget }) => setType(types[currentTarget.selectedIndex] ?? 'following')}
        >
          {types.map((one) => (
            <option key={one} value={one}>
              {t(`yourData.${one}`)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-file`}>{t('yourData.file')}</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".csv,text/csv,text/plain"
          required
          {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': `${id}-problem` })}
        />
        {problem !== undefined && (
          <span class="problem" role="alert" id={`${id}-problem`}>
            {problem}
          </span>
        )}
      </div>
      <Choice
        label={t('yourData.mode')}
        value={mode}
        options={[
          { value: 'merge', label: t('yourData.merge'), hint: t('yourData.mergeHint') },
          { value: 'overwrite', label: t('yourData.overwrite'), hint: t('yourData.overwriteHint') },
        ]}
        onChange={setMode}
      />
      <button type="submit" class="button" disabled={isBusy}>
        {t('yourData.check')}
      </button>
    </form>
  );
}
