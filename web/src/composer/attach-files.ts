import { ApiError } from '../api/client.ts';
import { deleteShare, type Share } from '../offline/index.ts';
import { instance } from '../session/session.ts';
import { t } from '../i18n/translate.tsx';
import { describeError, showToast } from '../ui/toasts.tsx';
import { newKey, type ComposedMedia } from './composed.ts';
import type { Composition } from './composition.ts';
import { awaitProcessing, findFileProblem, uploadFile } from './upload-file.ts';

/** The file and the end of each upload of this window, by the key of its media. */
const uploads = new Map<string, { readonly file: File; readonly abort: AbortController }>();

/** Uploads files as attachments of a post. Files beyond the limits of the server are refused with a message. */
export function attachFiles(composition: Composition, postKey: string, files: readonly File[]): void {
  const limits = instance.peek()?.configuration;
  const post = composition.content.peek().posts.find(({ key }) => key === postKey);
  if (limits === undefined || post === undefined || files.length === 0) return;
  if (post.poll !== undefined) return showToast(t('upload.notWithPoll'), { kind: 'error' });
  const max = limits.statuses.max_media_attachments;
  const room = max - post.media.length;
  if (files.length > room) showToast(t('upload.tooMany', { count: max }), { kind: 'error' });
  for (const file of files.slice(0, Math.max(0, room))) {
    const problem = findFileProblem(file, limits.media_attachments);
    if (problem === undefined) startUpload(composition, postKey, file);
    else if (problem.kind === 'type') showToast(t('upload.wrongType', { name: file.name }), { kind: 'error' });
    else {
      const size = String(Math.floor(problem.maxBytes / 1_048_576));
      showToast(t('upload.tooLarge', { name: file.name, size }), { kind: 'error' });
    }
  }
}

/** Uploads the files that another app shared, which are then deleted here. Says what is missing. */
export async function attachShared(composition: Composition, id: string, share: Share | undefined): Promise<void> {
  const [post] = composition.content.peek().posts;
  if (share === undefined) {
    // The composer was opened again, which has it already.
    if (!composition.isChanged) showToast(t('upload.shareGone'), { kind: 'error' });
    return;
  }
  if (share.isTooLarge) showToast(t('upload.shareTooLarge'), { kind: 'error' });
  if (post !== undefined) attachFiles(composition, post.key, share.files);
  await deleteShare(id);
}

function startUpload(composition: Composition, postKey: string, file: File): void {
  const media: ComposedMedia = {
    key: newKey(),
    name: file.name,
    state: 'uploading',
    progress: 0,
    description: '',
    focus: { x: 0, y: 0 },
    isChanged: false,
    isPosted: false,
  };
  uploads.set(media.key, { file, abort: new AbortController() });
  composition.changePost(postKey, (post) => ({ media: [...post.media, media] }));
  void upload(composition, media.key);
}

/** Repeats a failed upload, or waits again for a file that the server has already. */
export function retryUpload(composition: Composition, { key, attachment }: ComposedMedia): void {
  if (attachment === undefined) {
    composition.changeMedia(key, () => ({ state: 'uploading', progress: 0, problem: undefined }));
    void upload(composition, key);
  } else {
    composition.changeMedia(key, () => ({ state: 'processing', problem: undefined }));
    void finish(composition, key, attachment.id, uploads.get(key)?.abort.signal ?? new AbortController().signal);
  }
}

/** Removes a file from a post, and cancels its upload. */
export function removeMedia(composition: Composition, postKey: string, key: string): void {
  uploads.get(key)?.abort.abort();
  uploads.delete(key);
  composition.changePost(postKey, (post) => ({ media: post.media.filter((media) => media.key !== key) }));
}

/** Continues to wait for files that were still processed when the page was closed. */
export function resumeProcessing(composition: Composition): void {
  for (const { media } of composition.content.peek().posts)
    for (const { key, state, attachment } of media)
      if (state === 'processing' && attachment !== undefined && !uploads.has(key))
        void finish(composition, key, attachment.id, new AbortController().signal);
}

async function upload(composition: Composition, key: string): Promise<void> {
  const started = uploads.get(key);
  if (started === undefined) return;
  const { signal } = started.abort;
  try {
    const attachment = await uploadFile(started.file, {
      signal,
      onProgress: (progress) => composition.changeMedia(key, () => ({ progress })),
    });
    composition.changeMedia(key, () => ({
      attachment,
      earlierDescription: attachment.earlier_description ?? undefined,
      progress: 1,
      state: attachment.url === null ? 'processing' : 'ready',
    }));
    if (attachment.url === null) await finish(composition, key, attachment.id, signal);
  } catch (error) {
    if (signal.aborted) return;
    composition.changeMedia(key, () => ({ state: 'failed', problem: describeError(error) }));
  }
}

async function finish(composition: Composition, key: string, id: string, signal: AbortSignal): Promise<void> {
  try {
    const attachment = await awaitProcessing(id, signal);
    composition.changeMedia(key, () => ({ attachment, state: 'ready' }));
  } catch (error) {
    if (signal.aborted) return;
    // A file that the server could not process is uploaded again.
    const isRefused = error instanceof ApiError && error.status < 500 && uploads.has(key);
    const problem = describeError(error);
    composition.changeMedia(key, () => ({ state: 'failed', problem, ...(isRefused && { attachment: undefined }) }));
  }
}

/** Returns an address of the file of an upload, for its preview. */
export function previewOf({ key, attachment }: ComposedMedia): string | undefined {
  if (attachment?.preview_url != null) return attachment.preview_url;
  const file = uploads.get(key)?.file;
  if (file === undefined || !file.type.startsWith('image/')) return undefined;
  return objectUrlOf(file);
}

const objectUrls = new WeakMap<File, string>();

function objectUrlOf(file: File): string {
  const found = objectUrls.get(file) ?? URL.createObjectURL(file);
  objectUrls.set(file, found);
  return found;
}
