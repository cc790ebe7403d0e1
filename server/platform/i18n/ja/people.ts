import type { Catalogue } from '../catalogue.ts';

export const accounts: Catalogue['accounts'] = {
  instanceActor: 'サーバー自身のアカウントは停止できません',
  suspendedByDomainBlock: 'このアカウントは、ドメインのブロックによって停止されています',
  suspendedByOwnServer: 'このアカウントは、所属するサーバーによって停止されています',
};

export const relationships: Catalogue['relationships'] = {
  blockSelf: '自分自身をブロックすることはできません',
  endorseUnfollowed: 'プロフィールで紹介できるのは、フォローしているアカウントだけです',
  followMoved: 'このアカウントは引っ越したため、フォローできません',
  followOstatus: 'このアカウントは古いプロトコルのOStatusを使っているため、フォローできません',
  followSelf: '自分自身をフォローすることはできません',
  tooManyFollows: 'フォローできるアカウントは{max}件までです',
  tooManyRequested: '一度に指定できるアカウントは{max}件までです',
};

export const archives: Catalogue['archives'] = {
  running: 'アーカイブはすでに作成中です',
  tooSoon: 'アーカイブは7日に1回リクエストできます。次は{date}からリクエストできます',
};

export const imports: Catalogue['imports'] = {
  empty: 'ファイルに行がありません',
  notCsv: 'ファイルの{line}行目以降がCSV形式ではありません',
  running: '同じ種類のインポートが進行中です',
  tooLong: 'ファイルの行数が{max}行を超えています',
};

export const lists: Catalogue['lists'] = {
  accountNotFollowed: 'フォローしているアカウントだけを追加できます',
  accountTaken: 'このアカウントはすでにリストに入っています',
  tooManyLists: 'リストの数が上限に達しました',
};

export const collections: Catalogue['collections'] = {
  accountTaken: 'このアカウントはすでにコレクションに入っています',
  missingAccountId: '`account_id`パラメーターがありません',
  notFeaturable: 'このアカウントはコレクションに追加できません',
  tooMany: 'コレクションの数が上限（{max}件）に達しました',
};

export const notifications: Catalogue['notifications'] = {
  invalidExpandAccounts: '「expand_accounts」の値が正しくありません',
};

export const push: Catalogue['push'] = {
  added_to_collection: '{name}さんがあなたをコレクションに追加しました',
  'admin.report': '{name}さんが通報しました',
  'admin.sign_up': '{name}さんが登録しました',
  annual_report: 'あなたの一年のまとめができました',
  collection_update: 'あなたが入っているコレクションを{name}さんが変更しました',
  favourite: '{name}さんがあなたの投稿をお気に入りに登録しました',
  follow: '{name}さんにフォローされました',
  follow_request: '{name}さんからフォローリクエストが届きました',
  mention: '{name}さんがあなたにメンションしました',
  moderation_warning: 'モデレーターから警告が届きました',
  poll: '{name}さんのアンケートが終了しました',
  quote: '{name}さんがあなたの投稿を引用しました',
  quoted_update: 'あなたが引用した投稿を{name}さんが編集しました',
  reblog: '{name}さんがあなたの投稿をブーストしました',
  severed_relationships: 'フォローとフォロワーの一部が失われました',
  status: '{name}さんが投稿しました',
  update: 'あなたがブーストした投稿を{name}さんが編集しました',
};

export const domains: Catalogue['domains'] = {
  alreadyBlocked: 'このドメインは、{domain} のブロックによってすでにブロックされています',
  listTooLong: 'リストが長すぎます（最大{max}行）',
  notCsv: 'リストの{line}行目以降がCSV形式ではありません',
  unknownSeverity: '不明な制限レベルです：{severity}',
  knownList: 'このリストはすでに購読しています：{url}',
  tooManyLists: 'リストの数が上限（{max}件）に達しました',
  urlNotPublic: '公開ホストの標準ポートを使うhttpsのURLにしてください',
};

export const streaming: Catalogue['streaming'] = {
  failedUnsubscribe: 'チャンネルの購読を解除できませんでした',
  foreignList: 'このリストのストリーミングは許可されていません',
  invalidToken: 'アクセストークンが無効です',
  missingList: 'リスト名のパラメーターがありません',
  missingScope: 'アクセストークンに必要な権限がありません',
  missingTag: 'ハッシュタグ名のパラメーターがありません',
  missingToken: 'アクセストークンがありません',
  tooManyConnections: '接続数が多すぎます',
  tooManyStreams: 'この接続のストリームが多すぎます',
  unknownPath: '不明なチャンネルです',
  unknownStream: '不明な種類のストリームです',
};
