import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { sessionProblem } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { me } from '../session/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';
import { describeError } from '../ui/toasts.tsx';
import { attachFiles, resumeProcessing } from './attach-files.ts';
import { isBlank } from './composed.ts';
import { Composition } from './composition.ts';
import { LanguageHint, LanguagePicker } from './language-picker.tsx';
import { charactersLeft, PostEditor } from './post-editor.tsx';
import { publish } from './publish.tsx';
import { SaveStateText } from './save-state.tsx';
import { slotOf, startComposing, type ComposerStart } from './start-composing.ts';
import { StatusSummary } from './status-summary.tsx';
import { Toolbar } from './toolbar.tsx';
import { VisibilityPicker } from './visibility-picker.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';
import './composer.css';

interface ComposerProps {
  readonly start: ComposerStart;
  /** Called after it was posted, scheduled or discarded, with the page that shows it. */
  readonly onDone: (path?: string) => void;
  readonly hasFocus?: boolean;
  /** Whether the post that is replied to is shown beside it. */
  readonly isInThread?: boolean;
}

/** Writes a post, a reply, a thread or an edit. What was typed before is still there. */
export function Composer({ start, onDone, hasFocus = true, isInThread = false }: ComposerProps) {
  const loaded = useSignal<Composition | { readonly error: unknown } | undefined>(undefined);
  const slot = slotOf(start);
  const load = async (): Promise<void> => {
    loaded.value = undefined;
    try {
      const composition = new Composition(await startComposing(start));
      loaded.value = composition;
      resumeProcessing(composition);
    } catch (error) {
      loaded.value = { error };
    }
  };
  useEffect(() => {
    void load();
    return () => {
      if (loaded.peek() instanceof Composition) void (loaded.peek() as Composition).flush();
    };
  }, [slot]);
  const found = loaded.value;
  if (found === undefined) return <LoadingPosts count={1} />;
  if (!(found instanceof Composition)) return <ErrorState error={found.error} onRetry={() => void load()} />;
  return <ComposerForm composition={found} onDone={onDone} hasFocus={hasFocus} isInThread={isInThread} />;
}

interface ComposerFormProps extends Omit<Required<ComposerProps>, 'start'> {
  readonly composition: Composition;
}

function ComposerForm({ composition, onDone, hasFocus, isInThread }: ComposerFormProps) {
  const { posts, editedId, scheduledAt } = composition.content.value;
  const problem = useSignal<string | undefined>(undefined);
  const isDropTarget = useSignal(false);
  const activeKey = useSignal(posts[0]?.key);
  const fields = useMemo(() => new Map<string, { current: HTMLTextAreaElement | null }>(), []);
  const fieldOf = (key: string): { current: HTMLTextAreaElement | null } => {
    const found = fields.get(key) ?? { current: null };
    fields.set(key, found);
    return found;
  };
  const active = posts.find(({ key }) => key === activeKey.value) ?? posts[0];
  useEffect(() => {
    if (!hasFocus || active === undefined) return;
    const field = fieldOf(active.key).current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  useWarnBeforeClosing(composition);
  const cannotPost =
    composition.isSending.value ||
    composition.isUploading.value ||
    (posts.every((post) => isBlank(post)) && composition.quoted === undefined) ||
    posts.some((post) => charactersLeft(post) < 0 || post.media.some(({ state }) => state === 'failed'));
  const [submit, isSubmitting] = useSingleRun(async () => {
    if (cannotPost) return;
    problem.value = undefined;
    try {
      const path = await publish(composition, openPath);
      if (path !== undefined) onDone(path);
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  if (active === undefined) return null;
  return (
    // Files are also added by a button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      class={isDropTarget.value ? 'composer drop-target' : 'composer'}
      aria-label={t('composer.title')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        isDropTarget.value = true;
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) isDropTarget.value = false;
      }}
      onDrop={(event) => {
        isDropTarget.value = false;
        if ((event.dataTransfer?.files.length ?? 0) === 0) return;
        event.preventDefault();
        const section = (event.target as Element).closest<HTMLElement>('[data-post]');
        attachFiles(composition, section?.dataset['post'] ?? active.key, [...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {composition.parent !== undefined && !isInThread && (
        <StatusSummary status={composition.parent} label={t('composer.replyTo')} />
      )}
      <div class="composer-body">
        <Avatar account={me.value} size={40} />
        <div class="composer-fields">
          <div class="composer-chips">
            <VisibilityPicker composition={composition} />
            <LanguagePicker composition={composition} />
          </div>
          {posts.map((post, index) => (
            <PostEditor
              key={post.key}
              composition={composition}
              post={post}
              index={index}
              field={fieldOf(post.key)}
              onFocus={() => (activeKey.value = post.key)}
              onSubmit={() => void submit()}
            />
          ))}
          <LanguageHint composition={composition} />
          {composition.quoted !== undefined && (
            <StatusSummary status={composition.quoted} label={t('composer.quoting')} />
          )}
          <Toolbar
            composition={composition}
            post={active}
            onInsert={(text) => insertText(fieldOf(active.key).current, text)}
            onAddPost={() => {
              const key = composition.addPost(active.key);
              activeKey.value = key;
              requestAnimationFrame(() => fieldOf(key).current?.focus());
            }}
          />
        </div>
      </div>
      {posts.some(({ media }) => media.some(({ state }) => state === 'failed')) && (
        <p class="composer-problem" role="alert">
          {t('upload.notFinished')}
        </p>
      )}
      {problem.value !== undefined && (
        <p class="composer-problem" role="alert">
          {problem.value} {sessionProblem.value === undefined ? t('composer.kept') : t('composer.keptSession')}
        </p>
      )}
      <footer class="composer-footer">
        <SaveStateText composition={composition} onDiscarded={onDone} />
        <button type="submit" class="button" disabled={cannotPost || isSubmitting}>
          {composition.isSending.value
            ? t('composer.sending')
            : editedId !== undefined
              ? t('composer.saveEdit')
              : scheduledAt !== ''
                ? t('composer.scheduleAction')
                : posts.length > 1
                  ? t('composer.publishThread')
                  : t('composer.publish')}
        </button>
      </footer>
    </form>
  );
}

/** Inserts text where the caret is, as if it were typed. */
function insertText(field: HTMLTextAreaElement | null, text: string): void {
  if (field === null) return;
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The browser asks before it closes a page whose uploads have not ended; everything else is kept. */
function useWarnBeforeClosing(composition: Composition): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (composition.isUploading.peek()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [composition]);
}
