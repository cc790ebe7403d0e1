import type { Catalogue } from '../catalogue.ts';

export const accounts: Catalogue['accounts'] = {
  instanceActor: 'A conta do próprio servidor não pode ser suspensa',
  suspendedByDomainBlock: 'A conta está suspensa porque o domínio dela está bloqueado',
  suspendedByOwnServer: 'A conta foi suspensa pelo próprio servidor de origem',
};

export const relationships: Catalogue['relationships'] = {
  blockSelf: 'Você não pode bloquear a própria conta',
  endorseUnfollowed: 'Você só pode recomendar contas que segue',
  followMoved: 'Esta conta se mudou e não pode ser seguida',
  followOstatus: 'Esta conta usa o OStatus, um protocolo antigo: não pode ser seguida',
  followSelf: 'Você não pode seguir a própria conta',
  tooManyFollows: 'Você não pode seguir mais de {max} contas',
  tooManyRequested: 'É possível consultar no máximo {max} contas de uma vez',
};

export const archives: Catalogue['archives'] = {
  running: 'Seu arquivo já está sendo criado',
  tooSoon: 'Você pode solicitar um arquivo a cada 7 dias. O próximo será possível a partir de {date}',
};

export const imports: Catalogue['imports'] = {
  empty: 'O arquivo não tem linhas',
  notCsv: 'O arquivo não é CSV a partir da linha {line}',
  running: 'Já há uma importação deste tipo em andamento',
  tooLong: 'O arquivo tem mais de {max} linhas',
};

export const lists: Catalogue['lists'] = {
  accountNotFollowed: 'Você precisa seguir a conta',
  accountTaken: 'A conta já está na lista',
  tooManyLists: 'Você atingiu o número máximo de listas',
};

export const collections: Catalogue['collections'] = {
  accountTaken: 'A conta já está na coleção',
  missingAccountId: 'O parâmetro `account_id` está ausente',
  notFeaturable: 'Esta conta não pode ser adicionada a coleções',
  tooMany: 'Você atingiu o número máximo de coleções ({max})',
};

export const notifications: Catalogue['notifications'] = {
  invalidExpandAccounts: 'Valor inválido para “expand_accounts”',
};

export const push: Catalogue['push'] = {
  added_to_collection: '{name} adicionou você a uma coleção',
  'admin.report': '{name} enviou uma denúncia',
  'admin.sign_up': '{name} se inscreveu',
  annual_report: 'Sua retrospectiva do ano está pronta',
  collection_update: '{name} alterou uma coleção em que você está',
  favourite: '{name} favoritou sua publicação',
  follow: '{name} seguiu você',
  follow_request: '{name} quer seguir você',
  mention: '{name} mencionou você',
  moderation_warning: 'Você recebeu um aviso da moderação',
  poll: 'Uma enquete de {name} terminou',
  quote: '{name} citou sua publicação',
  quoted_update: '{name} editou uma publicação que você citou',
  reblog: '{name} impulsionou sua publicação',
  severed_relationships: 'Você perdeu alguns seguidores e contas que seguia',
  status: '{name} fez uma publicação',
  update: '{name} editou uma publicação que você impulsionou',
};

export const domains: Catalogue['domains'] = {
  alreadyBlocked: 'Este domínio já está bloqueado por causa do bloqueio de {domain}',
  listTooLong: 'A lista tem mais de {max} linhas',
  notCsv: 'A lista não é um CSV a partir da linha {line}',
  unknownSeverity: 'Gravidade desconhecida: {severity}',
  knownList: 'Esta lista já foi assinada: {url}',
  tooManyLists: 'Você atingiu o número máximo de listas ({max})',
  urlNotPublic: 'precisa ser um endereço https em um host público e na porta padrão',
};

export const streaming: Catalogue['streaming'] = {
  failedUnsubscribe: 'Erro ao cancelar a assinatura do canal',
  foreignList: 'Sem autorização para transmitir esta lista',
  invalidToken: 'Token de acesso inválido',
  missingList: 'O parâmetro da lista está ausente',
  missingScope: 'O token de acesso não tem os escopos necessários',
  missingTag: 'O parâmetro da hashtag está ausente',
  missingToken: 'O token de acesso está ausente',
  tooManyConnections: 'Conexões abertas demais',
  tooManyStreams: 'Transmissões demais nesta conexão',
  unknownPath: 'O canal solicitado é desconhecido',
  unknownStream: 'Tipo de transmissão desconhecido',
};
