import type { Catalogue } from '../catalogue.ts';

export const moderation: Catalogue['moderation'] = {
  appeal: '異議を申し立てる',
  appealApproved: 'スタッフがあなたの異議申し立てを認めました。措置は取り消されました。',
  appealApprovedDeleted:
    'スタッフがあなたの異議申し立てを認めました。措置の記録は無効になりました。削除された投稿は元に戻せません。',
  appealPending: 'この措置に異議を申し立てました。スタッフがメールで回答します。',
  appealRejected: 'スタッフがあなたの異議申し立てを却下しました。',
  appealText: '措置が誤りだと考える理由',
  disabled: 'アカウントが無効になりました',
  jobUnchangeable: 'ジョブが実行中か、失敗していません',
  noStrikes: 'ありません。',
  sensitized: 'アカウントのメディアがすべて閲覧注意として表示されるようになりました',
  silenced: 'アカウントが制限されました',
  statusesDeleted: '投稿が削除されました',
  statusesSensitized: '投稿が閲覧注意に設定されました',
  strikesTitle: 'あなたのアカウントに対するスタッフの措置',
  suspended: 'アカウントが停止されました',
  warned: '警告を受けました',
  appealDecided: 'この異議申し立てにはすでに結論が出ています',
  appealedBefore: 'この措置に対する異議は、すでに申し立てられています',
  appealTooLate: '{days}日が過ぎたため、この措置に異議を申し立てることはできません',
  suspendFirst: '削除できるのは、スタッフが停止したアカウントだけです。先に停止してください',
};

export const heldPosts: Catalogue['heldPosts'] = {
  decided: 'すでに処理されています',
  tooMany: '確認待ちのあなたの投稿が多すぎます',
  unpublishable: '作者が停止されているか、返信先の投稿が削除されたため、この投稿はもう公開できません',
};

export const moderationRules: Catalogue['moderationRules'] = {
  followRefused: 'このサーバーのモデレーションルールにより、このフォローは許可されていません',
  notBlurhash: '投稿の添付ファイルにあるようなBlurHashにしてください',
  notForSubject: '{subject} のルールでは使えません',
  onlyForPosts: '投稿のルールでだけ {name} を指定できます',
  onlyPostsTried: '試行できるのは投稿のルールだけです',
  trialRuns: 'このルールの別の試行が実行中です',
  postRefused: 'このサーバーのモデレーションルールにより、この投稿は許可されていません',
  signUpRefused: 'このサーバーのモデレーションルールにより、この登録は許可されていません',
  tooMany: 'モデレーションルールが多すぎます（最大{max}件）',
  tooManyCharacters: 'すべてのルールのキーワードの文字数が多すぎます（最大{max}文字）',
  unknownCondition: '不明な条件です',
};

export const hosts: Catalogue['hosts'] = {
  paused: '{domain} への配送は一時停止中です。先に再開してください',
};

export const relays: Catalogue['relays'] = {
  domainBlocked: '{domain} とは投稿をやりとりしていません。先にブロックを解除してください',
  known: 'このリレーはすでに登録されています：{url}',
  tooMany: 'リレーの数が上限（{max}件）に達しました',
  urlLocal: 'このサーバー以外のURLにしてください',
  urlNotPublic: '公開ホストの標準ポートを使うhttpsのURLにしてください',
};

export const reports: Catalogue['reports'] = {
  ownAccount: '自分のアカウントを通報することはできません',
  unknownRules: '存在しないルールが指定されています',
};

export const measures: Catalogue['measures'] = {
  archives: 'アカウントのアーカイブ',
  customEmojis: 'カスタム絵文字',
  mediaCache: 'リモートメディアのキャッシュ',
  profileImages: 'アイコンとヘッダー',
  siteImages: 'サイトの画像',
  valkey: 'Valkey',
  mediaStorage: 'メディアストレージ',
  tooManyKeys: 'キーが多すぎます（最大{max}件）',
  unknownLanguage: '不明な言語',
  website: 'ウェブサイト',
};

export const site: Catalogue['site'] = {
  alreadyAnnounced: 'このバージョンはすでにユーザーに通知されています',
  unknownLanguage: '不明な言語コードです：{code}',
};

export const webhooks: Catalogue['webhooks'] = {
  badTemplate: '正しくない変数を含んでいます：{text}',
  disabled: 'このWebhookは無効になっています。先に有効にしてください',
  missingPermission: 'イベント {event} には {permission} の権限が必要です',
  missingScope: 'イベント {event} には {scope} のスコープが必要です',
  needsApp: 'Webhookを作成できるのはアプリだけです。アクセストークンを使用してください',
  tooMany: 'Webhookの数が上限（{max}件）に達しました',
  tooManyVariables: '変数を{max}個までにしてください',
  urlLocal: 'このサーバー以外のURLにしてください',
  urlNotPublic: '公開ホストの標準ポートを使うhttpsのURLにしてください',
};

export const invites: Catalogue['invites'] = {
  invalid: 'この招待は使い切られたか、有効期限が切れています',
  isInvalid: '使い切られたか、有効期限が切れています',
  create: '招待を作成',
  expiresAt: '{date}まで有効です。',
  expiresIn: '有効期限',
  hint: 'このリンクがあれば、新規登録の受付を停止している間も登録できます。',
  hintApproval:
    'このリンクがあれば、新規登録の受付を停止している間も登録を申請できます。申請はスタッフが1件ずつ承認します。',
  maxUses: '利用できる人数',
  never: 'なし',
  newTitle: '新しい招待',
  none: '招待はありません。',
  outOfRange: '1から{max}までの整数にしてください',
  revoke: '取り消す',
  revokeOf: '招待（{code}）を取り消す',
  title: '招待',
  tooMany: '招待の数が上限（{max}件）に達しました',
  unlimited: '無制限',
  usedCount: { other: '{count}人が登録しました。' },
  usedOf: '{max}人中{uses}人が利用しました。',
  uses: { other: '{count}人' },
};

export const announcements: Catalogue['announcements'] = {
  allDayNeedsTimes: '終日にするには、開始日時と終了日時が必要です',
  alreadyReacted: 'この絵文字ではすでにリアクションしています',
  tooManyReactions: 'リアクションの種類が上限に達しました',
};
