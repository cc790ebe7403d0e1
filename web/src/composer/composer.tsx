import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { sessionProblem } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';
import { describeError } from '../ui/toasts.tsx';
import { attachFiles, attachShared, resumeProcessing } from './attach-files.ts';
import { isBlank, type ComposedPost } from './composed.ts';
import type { ComposerProps } from './composer-props.ts';
import { Composition } from './composition.ts';
import { LanguageHint, LanguagePicker } from './language-picker.tsx';
import { charactersLeft, PostEditor } from './post-editor.tsx';
import { publish } from './publish.tsx';
import { SaveStateText } from './save-state.tsx';
import { slotOf, startComposing } from './start-composing.ts';
import { StatusSummary } from './status-summary.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { VisibilityPicker } from './visibility-picker.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';
import './composer.css';

/** Writes a post, a reply, a thread or an edit. What was typed before is still there. */
export function Composer({ start, onDone, hasFocus = true, isInThread = false }: ComposerProps) {
  const loaded = useSignal<Composition | { readonly error: unknown } | undefined>(undefined);
  const slot = slotOf(start);
  const load = async (): Promise<void> => {
    loaded.value = undefined;
    try {
      const started = await startComposing(start);
      const composition = new Composition(started);
      loaded.value = composition;
      resumeProcessing(composition);
      if (start.shared !== undefined) await attachShared(composition, start.shared, started.share);
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
  const { posts } = composition.content.value;
  const problem = useSignal<string | undefined>(undefined);
  const activeKey = useSignal(posts[0]?.key);
  const active = posts.find(({ key }) => key === activeKey.value) ?? posts[0];
  const fieldOf = useFields(hasFocus ? active?.key : undefined);
  const [isDropTarget, dropHandlers] = useFileDrop((key, files) => {
    if (active !== undefined) attachFiles(composition, key ?? active.key, files);
  });
  useEffect(() => composition.followOtherWindows(), [composition]);
  useWarnBeforeClosing(composition);
  const isPostable = canPost(composition);
  const [submit, isSubmitting] = useSingleRun(async () => {
    if (!isPostable) return;
    problem.value = undefined;
    try {
      const path = await publish(composition);
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
      class={isDropTarget ? 'composer drop-target' : 'composer'}
      aria-label={t('composer.title')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      {...dropHandlers}
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
      <Problems posts={posts} problem={problem.value} />
      <footer class="composer-footer">
        <SaveStateText composition={composition} onDiscarded={onDone} />
        <button type="submit" class="button" disabled={!isPostable || isSubmitting}>
          {describeSubmit(composition)}
        </button>
      </footer>
    </form>
  );
}

function Problems({
  posts,
  problem,
}: {
  readonly posts: readonly ComposedPost[];
  readonly problem: string | undefined;
}) {
  return (
    <>
      {posts.some(hasFailedMedia) && (
        <p class="composer-problem" role="alert">
          {t('upload.notFinished')}
        </p>
      )}
      {problem !== undefined && (
        <p class="composer-problem" role="alert">
          {problem} {sessionProblem.value === undefined ? t('composer.kept') : t('composer.keptSession')}
        </p>
      )}
    </>
  );
}

const hasFailedMedia = ({ media }: ComposedPost): boolean => media.some(({ state }) => state === 'failed');

function canPost(composition: Composition): boolean {
  const { posts } = composition.content.value;
  if (composition.isSending.value || composition.isUploading.value) return false;
  if (posts.every((post) => isBlank(post)) && composition.quoted === undefined) return false;
  return posts.every((post) => charactersLeft(post) >= 0 && !hasFailedMedia(post));
}

/** Returns the text of the button that posts. */
function describeSubmit(composition: Composition): string {
  const { posts, editedId, scheduledAt } = composition.content.value;
  if (composition.isSending.value) return t('composer.sending');
  if (editedId !== undefined) return t('composer.saveEdit');
  if (scheduledAt !== '') return t('composer.scheduleAction');
  return posts.length > 1 ? t('composer.publishThread') : t('composer.publish');
}

interface FieldRef {
  current: HTMLTextAreaElement | null;
}

/** Returns a function that returns the text field of a post. That of `focusedKey` has the focus at first, at its end. */
function useFields(focusedKey: string | undefined): (key: string) => FieldRef {
  const fields = useMemo(() => new Map<string, FieldRef>(), []);
  const fieldOf = (key: string): FieldRef => {
    const found = fields.get(key) ?? { current: null };
    fields.set(key, found);
    return found;
  };
  useEffect(() => {
    const field = focusedKey === undefined ? undefined : fieldOf(focusedKey).current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  return fieldOf;
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
