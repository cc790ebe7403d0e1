import { useId, useState } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { PostImport } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { describeError } from '../../ui/toasts.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';

/** Sends an archive with posts to the server, which reads it and changes nothing yet. */
export function PostImportForm({ onSent }: { readonly onSent: (imported: PostImport) => void }) {
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const [send, isBusy] = useSingleRun(async (form: HTMLFormElement) => {
    setProblem(undefined);
    try {
      onSent(await request<PostImport>('POST', '/api/v1/fieldfare/post_imports', { body: new FormData(form) }));
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
        void send(event.currentTarget);
      }}
    >
      <div class="field">
        <label for={`${id}-file`}>{t('postImports.file')}</label>
        <input
          id={`${id}-file`}
          type="file"
          name="file"
          accept=".zip,.gz,.tgz,.tar,.json"
          required
          {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': `${id}-problem` })}
        />
        {problem !== undefined && (
          <span class="problem" role="alert" id={`${id}-problem`}>
            {problem}
          </span>
        )}
      </div>
      <div class="field">
        <label for={`${id}-origin`}>{t('postImports.origin')}</label>
        <input id={`${id}-origin`} name="origin" maxLength={300} aria-describedby={`${id}-hint`} dir="ltr" />
        <small id={`${id}-hint`}>{t('postImports.originHint')}</small>
      </div>
      <button type="submit" class="button" disabled={isBusy}>
        {t('postImports.read')}
      </button>
    </form>
  );
}
