import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { ApiError, request } from '../api/client.ts';
import type { Draft, MediaAttachment, Status } from '../api/entities.ts';
import {
  emptyPost,
  isBlank,
  mergeCopy,
  newKey,
  type Composed,
  type ComposedMedia,
  type ComposedPost,
} from './composed.ts';
import { shareChange } from '../store/other-windows.ts';
import { deleteLocalCopy, findLocalCopy, onLocalCopy, storeLocalCopy } from './local-copies.ts';
import { draftBody, nextAttempt, postRequest } from './post-request.ts';
import { sendPost, type Published } from './send-post.ts';
import type { Started } from './start-composing.ts';

const saveDelayMs = 2_000;

/** Where the current content is stored besides this window. */
export type SaveState = 'unchanged' | 'local' | 'saving' | 'saved';

/** A post or thread while it is written: its content, its copies and its publication. */
export class Composition {
  readonly slot: string;
  readonly parent: Status | undefined;
  readonly quoted: Status | undefined;
  readonly content;
  readonly saveState = signal<SaveState>('unchanged');
  readonly isSending = signal(false);
  readonly isUploading: ReadonlySignal<boolean>;
  readonly #initial: Composed;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isEnded = false;

  constructor({ slot, composed, initial, parent, quoted }: Started) {
    this.slot = slot;
    this.parent = parent;
    this.quoted = quoted;
    this.content = signal<Composed>(composed);
    this.isUploading = computed(() =>
      this.content.value.posts.some(({ media }) =>
        media.some(({ state }) => state === 'uploading' || state === 'processing'),
      ),
    );
    this.#initial = initial;
    if (composed.draft !== undefined && composed.savingKey === undefined) this.saveState.value = 'saved';
    else this.#save();
  }

  /** Whether the user changed anything. */
  get isChanged(): boolean {
    return essence(this.content.peek()) !== essence(this.#initial);
  }

  /** Changes the content. It is stored in this browser at once, and as a draft on the server a moment later. */
  change(changes: Partial<Composed>): void {
    this.content.value = { ...this.content.peek(), ...changes, changedAt: Date.now() };
    this.#save();
  }

  /** Shows what is written in other windows, until the returned function is called. The window where it is written saves it. */
  followOtherWindows(): () => void {
    return onLocalCopy((copy) => {
      if (this.#isEnded || this.isSending.peek()) return;
      clearTimeout(this.#saveTimer);
      this.#saveTimer = undefined;
      const own = this.content.peek();
      const { inReplyToId, quotedId, editedId } = own;
      // Without a copy, it was published or discarded there.
      this.content.value =
        copy === undefined ? { ...this.#initial, inReplyToId, quotedId, editedId } : mergeCopy(own, copy);
      const isSaved = copy?.draft !== undefined && copy.savingKey === undefined;
      this.saveState.value = copy === undefined ? 'unchanged' : isSaved ? 'saved' : 'local';
    }, this.slot);
  }

  changePost(key: string, change: (post: ComposedPost) => Partial<ComposedPost>): void {
    const posts = this.content.peek().posts.map((post) => (post.key === key ? { ...post, ...change(post) } : post));
    this.change({ posts });
  }

  changeMedia(key: string, change: (media: ComposedMedia) => Partial<ComposedMedia>): void {
    const posts = this.content.peek().posts.map((post) => ({
      ...post,
      media: post.media.map((media) => (media.key === key ? { ...media, ...change(media) } : media)),
    }));
    this.change({ posts });
  }

  /** Adds a post to the thread after another one. Returns its key. */
  addPost(afterKey: string): string {
    const { posts } = this.content.peek();
    const before = posts.find(({ key }) => key === afterKey);
    const added = { ...emptyPost(), hasWarning: before?.hasWarning ?? false, warning: before?.warning ?? '' };
    this.change({ posts: posts.flatMap((post) => (post.key === afterKey ? [post, added] : [post])) });
    return added.key;
  }

  removePost(key: string): void {
    this.change({ posts: this.content.peek().posts.filter((post) => post.key !== key) });
  }

  /**
   * Publishes, schedules or edits. Returns what `sendPost` returns, and deletes the copies; a queued post keeps its draft
   * until it is published. Throws what `sendPost` throws; then everything stays as it is, and another attempt publishes
   * nothing twice.
   */
  async send(): Promise<Published | 'queued'> {
    this.isSending.value = true;
    try {
      await this.#storeMediaChanges();
      const post = postRequest(this.content.peek());
      const attempt = nextAttempt(this.content.peek(), post);
      this.content.value = { ...this.content.peek(), attempt };
      if (this.isChanged) storeLocalCopy(this.slot, this.content.peek());
      const sent = this.content.peek();
      const created = await sendPost({ ...post, idempotencyKey: attempt.key }, sent);
      await this.#end(created === 'queued' ? sent.draft?.id : undefined);
      return created;
    } finally {
      this.isSending.value = false;
    }
  }

  /** Deletes the copies. */
  async discard(): Promise<void> {
    await this.#end();
  }

  /** Stores what waits to be stored, because the composer closes. */
  async flush(): Promise<void> {
    if (this.#saveTimer === undefined) return;
    clearTimeout(this.#saveTimer);
    await this.#saveDraft();
  }

  #save(): void {
    if (this.#isEnded) return;
    clearTimeout(this.#saveTimer);
    if (!this.isChanged) {
      deleteLocalCopy(this.slot);
      this.saveState.value = 'unchanged';
      return;
    }
    storeLocalCopy(this.slot, this.content.peek());
    this.saveState.value = 'local';
    if (this.content.peek().editedId !== undefined) return;
    this.#saveTimer = setTimeout(() => void this.#saveDraft(), saveDelayMs);
  }

  /** Stores the draft on the server, one request at a time in all windows. */
  #saveDraft(): Promise<void> {
    this.#saveTimer = undefined;
    const store = (): Promise<void> =>
      navigator.locks.request(`fieldfare-draft-${this.slot}`, () => this.#storeDraft());
    this.#saving = this.#saving.then(store);
    return this.#saving;
  }

  async #storeDraft(): Promise<void> {
    const copy = findLocalCopy(this.slot);
    // Another window may have stored a version of the draft a moment ago.
    const { savingKey: lostKey, ...content } =
      copy === undefined ? this.content.peek() : mergeCopy(this.content.peek(), copy);
    if (this.#isEnded || content.posts.every(isBlank)) return;
    this.saveState.value = 'saving';
    const key = lostKey ?? newKey();
    // Stored first: the next tab repeats the request if this one is closed before the response.
    this.content.value = { ...content, savingKey: key };
    storeLocalCopy(this.slot, this.content.peek());
    try {
      this.#setDraft(await storeDraft(content, key));
      // The server may have received the first request only, with an older text.
      if (lostKey !== undefined) return this.#storeDraft();
    } catch (error) {
      const wasReplaced = error instanceof ApiError && (error.status === 409 || error.status === 404);
      // Another device changed or deleted the draft: this one becomes a draft of its own.
      if (wasReplaced && content.draft !== undefined) {
        this.#setDraft(undefined);
        return this.#storeDraft();
      }
      // The copy in this browser remains, and the next change tries again.
      this.saveState.value = 'local';
    }
  }

  #setDraft(draft: Draft | undefined): void {
    const { draft: _before, savingKey: _key, ...content } = this.content.peek();
    this.content.value =
      draft === undefined ? content : { ...content, draft: { id: draft.id, version: draft.version } };
    if (this.#isEnded) return;
    storeLocalCopy(this.slot, this.content.peek());
    shareChange('drafts', 'stored');
    if (this.saveState.peek() === 'saving') this.saveState.value = 'saved';
  }

  async #storeMediaChanges(): Promise<void> {
    const changed = this.content
      .peek()
      .posts.flatMap(({ media }) => media)
      .filter(({ isChanged, isPosted }) => isChanged && !isPosted);
    await Promise.all(changed.map((media) => this.storeMediaChange(media)));
  }

  /** Stores the description and focus of an uploaded file on the server. */
  async storeMediaChange({ key, attachment, description, focus }: ComposedMedia): Promise<void> {
    if (attachment === undefined) return;
    const body = { description, focus: `${focus.x},${focus.y}` };
    await request<MediaAttachment>('PUT', `/api/v1/media/${attachment.id}`, { body });
    this.changeMedia(key, () => ({ isChanged: false }));
  }

  /** Deletes the copies in this browser and on the server, except a draft that is still needed. */
  async #end(neededDraftId?: string): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#saveTimer);
    deleteLocalCopy(this.slot);
    await this.#saving;
    const { draft } = this.content.peek();
    if (draft === undefined || draft.id === neededDraftId) return;
    // A draft that stays by chance is shown at /drafts, where it can be deleted.
    await request('DELETE', `/api/v1/fieldfare/drafts/${draft.id}`, { keepalive: true }).catch(() => undefined);
    shareChange('drafts', 'deleted');
  }
}

async function storeDraft(content: Composed, idempotencyKey: string): Promise<Draft> {
  const { draft } = content;
  const options = { body: draftBody(content), idempotencyKey };
  if (draft === undefined) return request<Draft>('POST', '/api/v1/fieldfare/drafts', options);
  return request<Draft>('PUT', `/api/v1/fieldfare/drafts/${draft.id}`, options);
}

/** Returns the content without keys and copies, to compare it. */
const essence = ({
  draft: _draft,
  savingKey: _key,
  attempt: _attempt,
  changedAt: _changedAt,
  posts,
  ...others
}: Composed): string =>
  JSON.stringify([
    posts.map(({ key: _key, media, ...post }) => [
      post,
      media.map(({ key, description, focus }) => [key, description, focus]),
    ]),
    Object.entries(others)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
