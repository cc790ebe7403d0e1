import { expect, test } from 'vitest';
import type { DraftPost, MediaAttachment } from '../api/entities.ts';
import {
  composedMedia,
  emptyPost,
  isBlank,
  mergeCopy,
  narrower,
  replyPolicyOf,
  type Composed,
  type ComposedMedia,
} from './composed.ts';
import { completeWord, findCompletableWord } from './completion.ts';
import { guessLanguage } from './guess-language.ts';
import { descriptionRequest, nextAttempt, postRequest } from './post-request.ts';
import { deletesVotes, postedPoll } from './posted-poll.ts';
import { findFileProblem } from './upload-file.ts';

const composed: Composed = {
  posts: [{ ...emptyPost('Hello'), key: 'a' }],
  visibility: 'public',
  quotePolicy: 'public',
  replyPolicy: 'default',
  language: 'en',
  contentType: 'text/plain',
  scheduledAt: '',
};

const attachment: MediaAttachment = {
  id: '7',
  type: 'image',
  url: 'https://example.org/a.png',
  preview_url: null,
  remote_url: null,
  preview_remote_url: null,
  text_url: null,
  meta: null,
  description: null,
  blurhash: null,
};

test('the word before the caret is completed, but not addresses or parts of words', () => {
  const at = (text: string) => findCompletableWord(text, text.length);
  expect(at('hi @bo')).toEqual({ kind: 'account', query: 'bo', start: 3 });
  expect(at('(@bob@remote.ex')).toEqual({ kind: 'account', query: 'bob@remote.ex', start: 1 });
  expect(at('#Vög')).toEqual({ kind: 'tag', query: 'Vög', start: 0 });
  expect(at('so :smi')).toEqual({ kind: 'emoji', query: 'smi', start: 3 });
  for (const text of ['bob@remote', 'a#b', 'https://a.example/@bo', '12:30', ':s', '@', 'word'])
    expect(at(text)).toBeUndefined();
});

test('a completed word is followed by one space', () => {
  expect(completeWord('hi @bo', { start: 3, caret: 6 }, '@bob')).toEqual({ text: 'hi @bob ', caret: 8 });
  expect(completeWord('hi @bo there', { start: 3, caret: 6 }, '@bob')).toEqual({ text: 'hi @bob there', caret: 8 });
});

test('a repeated attempt has the same key unless the content changed', () => {
  const first = nextAttempt(composed, postRequest(composed));
  const tried = { ...composed, attempt: first };
  expect(nextAttempt(tried, postRequest(tried))).toEqual(first);
  const changed = { ...tried, visibility: 'private' as const };
  expect(nextAttempt(changed, postRequest(changed)).key).not.toBe(first.key);
});

test('several posts are one request, in which blank posts are left out', () => {
  const thread = { ...composed, inReplyToId: '5', posts: [emptyPost('One'), emptyPost(), emptyPost('Two')] };
  const { path, body } = postRequest(thread);
  expect(path).toBe('/api/v1/fieldfare/threads');
  expect(body).toMatchObject({ in_reply_to_id: '5', posts: [{ status: 'One' }, { status: 'Two' }] });
});

test('a schedule and a reply policy are sent, a hidden content warning is not', () => {
  const scheduledAt = '2030-01-02T10:00';
  const post = { ...emptyPost('Hi'), warning: 'hidden' };
  const { body } = postRequest({ ...composed, posts: [post], scheduledAt, replyPolicy: 'following' });
  expect(body).toMatchObject({
    spoiler_text: '',
    scheduled_at: new Date(scheduledAt).toISOString(),
    interaction_policy: { can_reply: { automatic_approval: ['following', 'mentioned'] } },
  });
});

test('an edited poll keeps its end and hidden results until its author changes them', () => {
  const end = '2030-01-01T00:00:00.000Z';
  const asked = { options: ['Tea', 'Milk'].map((title) => ({ title, votes_count: null })), multiple: false };
  const rest = { id: '1', votes_count: 0, voters_count: 0, emojis: [], expires_at: end, expired: false };
  const poll = postedPoll({ ...rest, ...asked });
  const send = (changes: object) => {
    const post = { ...emptyPost('Hi'), poll: { ...poll, ...changes } };
    return (postRequest({ ...composed, editedId: '1', posts: [post] }).body as { poll: object }).poll;
  };
  const question = { options: ['Tea', 'Milk'], multiple: false };
  expect(send({})).toEqual({ ...question, hide_totals: true });
  expect(send({ duration: 300 })).toEqual({ ...question, hide_totals: true, expires_in: 300 });
  const isOver = { posted: { ...poll.posted, end: '2020-01-01T00:00:00.000Z' }, hidesTotals: undefined };
  expect(send(isOver)).toEqual(question);
  expect(send({ ...isOver, isMultiple: true })).toEqual({ ...question, multiple: true, expires_in: 86_400 });
  expect([deletesVotes(poll), deletesVotes({ ...poll, options: ['Tea', 'Coffee'] })]).toEqual([false, true]);
});

test('an edit sends who may quote only if its author changes it', () => {
  const edited: Composed = { ...composed, editedId: '1', postedQuotePolicy: 'public' };
  expect(postRequest(edited).body).not.toHaveProperty('quote_approval_policy');
  expect(postRequest({ ...edited, quotePolicy: 'nobody' }).body).toMatchObject({ quote_approval_policy: 'nobody' });
});

test('a description is sent with everything else as it is, but for who may quote', () => {
  const end = '2030-01-01T00:00:00.000Z';
  const asked = { options: [{ title: 'Tea', votes_count: 1 }], multiple: true, expires_at: end, expired: false };
  const poll = postedPoll({ id: '1', votes_count: 1, voters_count: 1, emojis: [], ...asked });
  const media = ['7', '8'].map((id) => composedMedia({ ...attachment, id, description: 'Old' }, true));
  const post = { ...emptyPost('Hi'), hasWarning: true, warning: 'Birds', media, poll };
  const edited = { ...composed, editedId: '3', language: 'de', posts: [post] };
  const request = descriptionRequest(edited, '8', { description: 'A bird', focus: { x: 0, y: 0.5 } });
  expect(request).toEqual({
    path: '/api/v1/statuses/3',
    body: {
      status: 'Hi',
      spoiler_text: 'Birds',
      sensitive: true,
      media_ids: ['7', '8'],
      content_type: 'text/plain',
      language: 'de',
      media_attributes: [{ id: '8', description: 'A bird', focus: '0,0.5' }],
      poll: { options: ['Tea'], multiple: true, hide_totals: false },
    },
  });
});

test('who may reply is read from the rules of a draft', () => {
  for (const policy of ['public', 'followers', 'following', 'mentioned'] as const) {
    const { body } = postRequest({ ...composed, replyPolicy: policy });
    const { interaction_policy: rules } = body as DraftPost;
    expect(replyPolicyOf(rules)).toBe(policy);
  }
  expect(replyPolicyOf(undefined)).toBe('default');
});

test('the narrower visibility is chosen', () => {
  expect(narrower('public', 'private')).toBe('private');
  expect(narrower('direct', 'unlisted')).toBe('direct');
  expect(isBlank(emptyPost(' \n'))).toBe(true);
});

test('files of other types and sizes are refused', () => {
  const limits = {
    supported_mime_types: ['image/png', 'video/mp4'],
    image_size_limit: 10,
    video_size_limit: 20,
    image_matrix_limit: 1,
    video_frame_rate_limit: 1,
    video_matrix_limit: 1,
    description_limit: 1,
  };
  expect(findFileProblem({ type: 'image/png', size: 10 }, limits)).toBeUndefined();
  expect(findFileProblem({ type: 'image/png', size: 11 }, limits)).toEqual({ kind: 'size', maxBytes: 10 });
  expect(findFileProblem({ type: 'text/plain', size: 1 }, limits)).toEqual({ kind: 'type' });
});

test('the language is guessed from script and frequent words only', () => {
  expect(guessLanguage('Das ist nicht der Vogel, den ich gestern auf dem Dach gesehen habe')).toBe('de');
  expect(guessLanguage('これは小さな鳥の写真です')).toBe('ja');
  expect(guessLanguage('Я видел сегодня птицу')).toBe('ru');
  expect(guessLanguage('ok')).toBeUndefined();
});

test('of two windows the newer text is shown, with the draft that was stored last and the uploads of each', () => {
  const withText = (text: string, changedAt: number, media: readonly ComposedMedia[] = []): Composed => ({
    ...composed,
    posts: [{ ...emptyPost(text), key: 'a', media }],
    changedAt,
  });
  const upload: ComposedMedia = { ...composedMedia(attachment), key: 'u', state: 'uploading', attachment: undefined };
  const draft = { id: '1', version: 2 };
  const textOf = ({ posts }: Composed): string[] => posts.map(({ text }) => text);
  const newer = mergeCopy(withText('old', 1, [upload]), { ...withText('new', 2), draft });
  expect([textOf(newer), newer.draft, newer.posts[0]?.media]).toEqual([['new'], draft, [upload]]);
  const older = mergeCopy({ ...withText('new', 2), savingKey: 'k' }, { ...withText('old', 1), draft });
  expect([textOf(older), older.draft, older.savingKey]).toEqual([['new'], draft, undefined]);
  const done = { ...composedMedia(attachment), key: 'u' };
  expect(mergeCopy(withText('', 1, [upload]), withText('', 2, [done])).posts[0]?.media).toEqual([done]);
});
