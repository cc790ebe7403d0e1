import { type ErrorBody, ApiError, OfflineError, recordSessionProblem, request } from '../api/client.ts';
import type { Instance, UploadedMedia } from '../api/entities.ts';
import { me } from '../session/session.ts';

interface UploadOptions {
  /** Called with the sent part, from 0 to 1. */
  readonly onProgress: (progress: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a file. A video or audio file may still be processed afterwards: its `url` is null. Throws ApiError or OfflineError. */
export function uploadFile(file: File, { onProgress, signal }: UploadOptions): Promise<UploadedMedia> {
  const { promise, resolve, reject } = Promise.withResolvers<UploadedMedia>();
  // fetch does not report the progress of an upload.
  const upload = new XMLHttpRequest();
  upload.open('POST', '/api/v2/media');
  upload.responseType = 'json';
  upload.setRequestHeader('accept', 'application/json');
  upload.setRequestHeader('fieldfare-account', me.peek().id);
  upload.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
  upload.addEventListener('load', () => {
    if (upload.status < 300) resolve(upload.response as UploadedMedia);
    else void refuse(upload).then(reject, reject);
  });
  upload.addEventListener('error', () => reject(new OfflineError('the upload failed')));
  upload.addEventListener('abort', () => reject(new DOMException('the upload was cancelled', 'AbortError')));
  signal.addEventListener('abort', () => upload.abort());
  const body = new FormData();
  body.append('file', file);
  upload.send(body);
  return promise;
}

async function refuse({ status, response }: XMLHttpRequest): Promise<ApiError> {
  const isAboutSession = await recordSessionProblem(status);
  return new ApiError(status, (response ?? undefined) as ErrorBody | undefined, { isAboutSession });
}

const maxPollMs = 8_000;

/** Waits until an uploaded file is processed. Throws ApiError if that fails. */
export async function awaitProcessing(id: string, signal: AbortSignal): Promise<UploadedMedia> {
  for (let waitMs = 500; ; waitMs = Math.min(maxPollMs, waitMs * 1.5)) {
    const attachment = await request<UploadedMedia>('GET', `/api/v1/media/${id}`, { signal });
    if (attachment.url !== null) return attachment;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

type MediaLimits = Instance['configuration']['media_attachments'];

/** Returns what forbids to upload a file; undefined if nothing does. */
export function findFileProblem(
  { type, size }: Pick<File, 'type' | 'size'>,
  limits: MediaLimits,
): { readonly kind: 'type' } | { readonly kind: 'size'; readonly maxBytes: number } | undefined {
  if (!limits.supported_mime_types.includes(type.split(';', 1)[0] ?? '')) return { kind: 'type' };
  const maxBytes = type.startsWith('image/') ? limits.image_size_limit : limits.video_size_limit;
  return size > maxBytes ? { kind: 'size', maxBytes } : undefined;
}
