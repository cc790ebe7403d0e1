import type { Catalogue } from '../catalogue.ts';

export const statuses: Catalogue['statuses'] = {
  boostPrivate: '非公開の投稿はブーストできません',
  editBoost: 'ブーストは編集できません',
  editPending: '承認待ちの返信は編集できません',
  favouriteNotPermitted: 'この投稿の作者は、あなたのお気に入り登録を許可していません',
  noConversation: 'この投稿はどの会話にも属していません',
  nothingToQuote: '引用する投稿が見つかりません',
  pinBoost: 'ブーストは固定できません',
  pinDirect: 'メンションされた人だけが見られる投稿は固定できません',
  pinForeign: '他の人の投稿は固定できません',
  pollNeedsSignIn: 'このアンケートは公開されていません。見るにはログインしてください',
  quoteBoost: 'ブーストは引用できません',
  quoteUnmentioned: 'メンションした人のみに公開する投稿で引用できるのは、メンションしたアカウントの投稿だけです',
  reactionNotPermitted: 'この投稿の作者は、あなたのリアクションを許可していません',
  reblogNotPermitted: 'この投稿の作者は、あなたのブーストを許可していません',
  replyNotPermitted: '作者があなたの返信を許可していない投稿です',
  scheduledTooSoon: '予約日時は5分以上先にしてください',
  textTooLong: '文字数の上限（{max}文字）を超えています',
  threadNeedsApproval: '返信が承認制の投稿です。スレッドではなく、1件の投稿で返信してください',
  tooManyIds: 'IDが多すぎます（最大{max}件）',
  tooManyPins: '固定できる投稿の数が上限に達しています',
  tooManyReactions: 'リアクションはすでに{max}件あります',
  tooManyScheduled: '予約できる投稿は{max}件までです',
  tooManyScheduledPerDay: '1日に予約できる投稿は{max}件までです',
  unexpectedAccounts: 'この投稿は、想定外のアカウントにも送信されることになります',
};

export const threads: Catalogue['threads'] = {
  atMost: '最大{max}件です',
  fieldProblem: '{field}：{problem}',
  notSchedulable: 'スレッドでは使えません。POST /api/v1/statusesで投稿を1件ずつ予約してください',
};

export const drafts: Catalogue['drafts'] = {
  changed: 'この間に下書きが変更されました。もう一度読み込んでください',
  filesUnavailable:
    '存在しないファイル、あなたのものではないファイル、または他の投稿や下書きですでに使われているファイルを含んでいます',
  pollTooLong: '選択肢を{maxOptions}個まで、それぞれ{maxLength}文字までにしてください',
  tooManyDrafts: '下書きの数が上限（{max}件）に達しました',
  tooManyFiles: '下書きのファイル数が上限（{max}件）に達しました',
};

export const bookmarks: Catalogue['bookmarks'] = {
  notBookmarked: 'ブックマークしていない投稿を含んでいます',
  searchTooLong: '長すぎます（最大{max}文字、{maxWords}語）',
  tooManyFolders: 'ブックマークのフォルダー数が上限（{max}件）に達しました',
};

export const polls: Catalogue['polls'] = {
  alreadyVoted: 'このアンケートにはすでに投票しています',
  duplicateOptions: '選択肢が重複しています',
  ended: 'アンケートはすでに終了しています',
  optionTooLong: '選択肢は{max}文字以内にしてください',
  ownPoll: '自分のアンケートには投票できません',
  tooFewOptions: '選択肢は2個以上必要です',
  tooManyOptions: '選択肢は{max}個までです',
  unknownChoice: '選んだ選択肢は存在しません',
};

export const media: Catalogue['media'] = {
  attachmentFailed: '処理に失敗したファイルは添付できません',
  attachmentInUse: 'このファイルは投稿で使われています',
  attachmentNotReady: '処理中のファイルは添付できません。少し待ってから、もう一度お試しください！',
  attachmentUnavailable:
    '存在しないファイル、あなたのものではないファイル、または他の投稿ですでに使われているファイルが指定されています',
  animationNotConvertible: 'この種類または長さのアニメーション画像は、このサーバーでは変換できません',
  animationTooLarge: '{width}x{height} のアニメーション画像には対応していません',
  audioNotConvertible: 'このサーバーでは、この種類の音声ファイルを変換できません',
  busy: '処理中のファイルが多すぎます。数秒後にもう一度お試しください',
  fileTooLarge: '入力内容に誤りがあります：ファイルは16MB未満にしてください',
  gifNotConvertible: 'このサーバーでは、フレーム数がこれほど多いGIFを変換できません',
  gifTooLarge: '{width}x{height}のGIFには対応していません',
  heicUnsupported: 'このサーバーではHEIC画像を読み取れません',
  imageTooLarge: '{width}x{height}の画像には対応していません',
  mixedAttachments: '動画や音声は、他のファイルと一緒に添付できません',
  processingFailed: 'アップロードされたメディアのサムネイルを処理できませんでした',
  rangeNotSatisfiable: '要求された範囲は取得できません',
  sourceGone: '元のファイルがもうありません',
  thumbnailTooLarge: '入力内容に誤りがあります：サムネイルは16MB未満にしてください',
  tooLong: '4時間を超えるファイルには対応していません',
  tooManyAttachments: '添付できるファイルは{max}件までです',
  unverifiedType: 'アップロードされたメディアの種類を確認できませんでした',
  videoFrameRate: '1秒あたり{rate}フレームの動画には対応していません',
  videoNotConvertible: 'このサーバーでは、この種類の動画を変換できません',
  videoTooLarge: '{width}x{height}の動画には対応していません',
  videoTooManyFrames: '{max}フレームを超える動画には対応していません',
};

export const emojis: Catalogue['emojis'] = {
  exists: '絵文字 :{shortcode}: はすでにあります',
  invalidShortcode: 'ショートコードは2〜128文字の半角英数字とアンダースコアにしてください',
  notLocal: '変更できるのはローカルの絵文字だけです',
  notRemote: 'コピーできるのはリモートの絵文字だけです',
  tooMany: '一度に扱える絵文字は{max}個までです',
  unknown: '絵文字 :{shortcode}: はありません',
};

export const hashtags: Catalogue['hashtags'] = {
  tooManyFeatured: '紹介できるハッシュタグの数が上限に達しています',
};

export const filters: Catalogue['filters'] = {
  severalKeywords:
    'これらのパラメーターはフィルターの複数のキーワードに関わるため、このバージョンのAPIでは変更できません',
  statusTaken: 'この投稿はすでにフィルターに入っています',
  tooManyCharacters: 'フィルターのキーワードの文字数が上限（{max}文字）に達しました',
  tooManyFilters: 'フィルターの数が上限（{max}件）に達しました',
  tooManyKeywords: 'フィルターのキーワードの数が上限（{max}件）に達しました',
  tooManyStatuses: 'フィルターした投稿の数が上限（{max}件）に達しました',
};

export const search: Catalogue['search'] = {
  busy: '実行中の検索が多すぎます。数秒後にもう一度お試しください',
  pagingNeedsSignIn: '検索結果の続きを見るにはログインが必要です',
  positivePaging: '`offset`と`limit`の値は正の数にしてください',
  resolvingNeedsSignIn: '他のサーバーを検索するにはログインが必要です',
  tooSlow: 'この検索には時間がかかりすぎます。言葉を減らすか、あまり使われない言葉でお試しください',
};

export const translation: Catalogue['translation'] = {
  quotaUsedUp: 'このサーバーの翻訳の利用枠を使い切りました。後でもう一度お試しください',
  rateLimited: '翻訳サービスへのリクエストが多すぎます。後でもう一度お試しください',
};
