import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { FieldfareAdminSiteTextPreview } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { showError } from '../../ui/toasts.tsx';
import { offerUndo } from '../../ui/undo.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';
import '../../ui/status-content.css';

interface HtmlToolsProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Below a field for HTML: how the server shows it, and a button that makes HTML of Markdown. */
export function HtmlTools({ label, value, onChange }: HtmlToolsProps) {
  const id = useId();
  const preview = useSignal<string | undefined>(undefined);
  const render = async (type: 'text/html' | 'text/markdown'): Promise<string> => {
    const body = { content: value, content_type: type };
    const path = '/api/v1/fieldfare/admin/site_texts/preview';
    return (await request<FieldfareAdminSiteTextPreview>('POST', path, { body })).content;
  };
  const [show, isLoading] = useSingleRun(async () => {
    preview.value = await render('text/html').catch(showProblem);
  });
  const [convert, isConverting] = useSingleRun(async () => {
    const html = await render('text/markdown').catch(showProblem);
    if (html === undefined) return;
    onChange(html);
    preview.value = html;
    offerUndo(t('settingsPage.converted'), () => onChange(value));
  });
  const isEmpty = value.trim() === '';
  return (
    <>
      <p class="html-tools">
        <button
          type="button"
          class="button quiet"
          aria-controls={id}
          disabled={isEmpty || isLoading}
          onClick={() => void show()}
        >
          {t('settingsPage.preview')}
        </button>
        <button type="button" class="button quiet" disabled={isEmpty || isConverting} onClick={() => void convert()}>
          {t('settingsPage.fromMarkdown')}
        </button>
      </p>
      <section
        id={id}
        class="html-preview status-content"
        aria-label={t('settingsPage.previewOf', { label })}
        hidden={preview.value === undefined}
      >
        {/* Sanitized by the server. */}
        <div dir="auto" dangerouslySetInnerHTML={{ __html: preview.value ?? '' }} />
      </section>
    </>
  );
}

function showProblem(error: unknown): undefined {
  showError(error);
  return undefined;
}
