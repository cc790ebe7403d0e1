import { signal } from '@preact/signals';
import { ApiError, request } from '../../api/client.ts';
import type { FieldfareAdminCustomEmoji } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { describeError, showError } from '../../ui/toasts.tsx';
import { findUploadProblem, shortcodeFromFileName } from './shortcodes.ts';

/** An image that is to become an emoji. */
export interface EmojiUpload {
  readonly id: number;
  readonly file: File;
  /** Address of the image in this browser. */
  readonly preview: string;
  readonly shortcode: string;
  readonly isSending: boolean;
  /** Why the server refused it. */
  readonly refusal: string | undefined;
}

interface SendOptions {
  readonly category: string;
  readonly isVisible: boolean;
  /** Called for each that was added. */
  readonly onAdded: (emoji: FieldfareAdminCustomEmoji) => void;
}

/** Images to upload as emojis. Each stays, with its shortcode and what is wrong with it, until it was added. */
export class EmojiUploads {
  readonly items = signal<readonly EmojiUpload[]>([]);
  readonly isSending = signal(false);
  #lastId = 0;

  add(files: readonly File[]): void {
    const added = files.map((file) => ({
      id: (this.#lastId += 1),
      file,
      preview: URL.createObjectURL(file),
      shortcode: shortcodeFromFileName(file.name),
      isSending: false,
      refusal: undefined,
    }));
    this.items.value = [...this.items.peek(), ...added];
  }

  rename(id: number, shortcode: string): void {
    this.#change(id, { shortcode, refusal: undefined });
  }

  remove(id: number): void {
    const removed = this.items.peek().find((item) => item.id === id);
    if (removed !== undefined) URL.revokeObjectURL(removed.preview);
    this.items.value = this.items.peek().filter((item) => item.id !== id);
  }

  /** Frees the memory of all images. */
  close(): void {
    for (const { preview } of this.items.peek()) URL.revokeObjectURL(preview);
  }

  /** Returns what is wrong with an image, as a text. */
  problemOf(upload: EmojiUpload): string | undefined {
    const others = this.items.value.filter(({ id }) => id !== upload.id).map(({ shortcode }) => shortcode);
    const kind = findUploadProblem(upload.file, upload.shortcode, others);
    return kind === undefined ? upload.refusal : t(`serverEmojis.${kind}`);
  }

  /**
   * Uploads the images one by one, without those that cannot be emojis. A refused one keeps the reason. Stops if the next
   * one would fail too, because the server is away or refuses more requests. Returns how many were added.
   */
  async send({ onAdded, ...options }: SendOptions): Promise<number> {
    this.isSending.value = true;
    let added = 0;
    for (const { id } of this.items.peek()) {
      const upload = this.items.peek().find((item) => item.id === id);
      if (upload === undefined || this.#isUnusable(upload)) continue;
      this.#change(id, { isSending: true, refusal: undefined });
      try {
        onAdded(await post(upload, options));
        this.remove(id);
        added += 1;
      } catch (error) {
        const isOfThisOne = error instanceof ApiError && [409, 413, 422].includes(error.status);
        this.#change(id, { isSending: false, refusal: isOfThisOne ? describeError(error) : undefined });
        if (isOfThisOne) continue;
        showError(error);
        break;
      }
    }
    this.isSending.value = false;
    return added;
  }

  #isUnusable(upload: EmojiUpload): boolean {
    return this.problemOf({ ...upload, refusal: undefined }) !== undefined;
  }

  #change(id: number, change: Partial<EmojiUpload>): void {
    this.items.value = this.items.peek().map((item) => (item.id === id ? { ...item, ...change } : item));
  }
}

function post(
  { file, shortcode }: EmojiUpload,
  { category, isVisible }: Omit<SendOptions, 'onAdded'>,
): Promise<FieldfareAdminCustomEmoji> {
  const body = new FormData();
  body.append('shortcode', shortcode);
  body.append('category', category);
  body.append('visible_in_picker', String(isVisible));
  body.append('image', file);
  return request('POST', '/api/v1/fieldfare/admin/custom_emojis', { body });
}
