import type { Catalogue } from '../catalogue.ts';

export const accounts: Catalogue['accounts'] = {
  instanceActor: 'لا يمكن تعليق حساب الخادم نفسه',
  suspendedByDomainBlock: 'الحساب معلَّق بسبب حظر نطاقه',
  suspendedByOwnServer: 'الحساب معلَّق من قِبل خادمه',
};

export const relationships: Catalogue['relationships'] = {
  blockSelf: 'لا يمكنك حظر نفسك',
  endorseUnfollowed: 'لا يمكنك التوصية إلا بالحسابات التي تتابعها',
  followMoved: 'انتقل هذا الحساب ولا يمكن متابعته',
  followOstatus: 'يستخدم هذا الحساب البروتوكول القديم OStatus ولا يمكن متابعته',
  followSelf: 'لا يمكنك متابعة نفسك',
  tooManyFollows: 'بلغت الحد الأقصى لعدد الحسابات التي يمكنك متابعتها ({max})',
  tooManyRequested: 'الحد الأقصى لعدد الحسابات في الطلب الواحد: {max}',
};

export const archives: Catalogue['archives'] = {
  running: 'يجري إنشاء أرشيفك بالفعل',
  tooSoon: 'يمكنك طلب أرشيف مرة كل 7 أيام. الطلب التالي متاح ابتداءً من {date}',
};

export const imports: Catalogue['imports'] = {
  empty: 'لا يحتوي الملف على أي سطر',
  notCsv: 'الملف ليس بصيغة CSV ابتداءً من السطر {line}',
  running: 'هناك عملية استيراد من هذا النوع قيد التنفيذ',
  tooLong: 'يحتوي الملف على أكثر من {max} سطر',
};

export const lists: Catalogue['lists'] = {
  accountNotFollowed: 'يجب أن تتابع الحساب أولًا',
  accountTaken: 'الحساب مضاف إلى القائمة من قبل',
  tooManyLists: 'لقد بلغت الحد الأقصى لعدد القوائم',
};

export const collections: Catalogue['collections'] = {
  accountTaken: 'الحساب مضاف إلى المجموعة من قبل',
  missingAccountId: 'المعلمة `account_id` مفقودة',
  notFeaturable: 'لا يمكن إضافة هذا الحساب إلى المجموعات',
  tooMany: 'لقد بلغت الحد الأقصى لعدد المجموعات ({max})',
};

export const notifications: Catalogue['notifications'] = {
  invalidExpandAccounts: 'قيمة المعلمة «expand_accounts» غير صالحة',
};

export const push: Catalogue['push'] = {
  added_to_collection: 'أضافك {name} إلى مجموعة',
  'admin.report': 'قدّم {name} بلاغًا',
  'admin.sign_up': 'أنشأ {name} حسابًا',
  annual_report: 'ملخص عامك جاهز',
  collection_update: 'غيّر {name} مجموعة تضمك',
  favourite: 'أضاف {name} منشورك إلى مفضلته',
  follow: 'بدأ {name} بمتابعتك',
  follow_request: 'طلب {name} متابعتك',
  mention: 'أشار إليك {name}',
  moderation_warning: 'لقد تلقيت تحذيرًا من فريق الإشراف',
  poll: 'انتهى استطلاع رأي من {name}',
  quote: 'اقتبس {name} منشورك',
  quoted_update: 'عدّل {name} منشورًا اقتبسته',
  reblog: 'أعاد {name} نشر منشورك',
  severed_relationships: 'فقدت بعض من تتابعهم وبعض متابعيك',
  status: 'نشر {name} للتو',
  update: 'عدّل {name} منشورًا أعدت نشره',
};

export const domains: Catalogue['domains'] = {
  alreadyBlocked: 'هذا النطاق محظور من قبل ضمن حظر {domain}',
  listTooLong: 'عدد أسطر القائمة كبير جدًا (الحد الأقصى: {max})',
  notCsv: 'القائمة ليست بصيغة CSV ابتداءً من السطر {line}',
  unknownSeverity: 'درجة تقييد غير معروفة: {severity}',
  knownList: 'هناك اشتراك في هذه القائمة من قبل: {url}',
  tooManyLists: 'لقد بلغت الحد الأقصى لعدد القوائم ({max})',
  urlNotPublic: 'يجب إدخال عنوان https على مضيف عمومي وبالمنفذ المعتاد',
};

export const streaming: Catalogue['streaming'] = {
  failedUnsubscribe: 'حدث خطأ أثناء إلغاء الاشتراك في القناة',
  foreignList: 'لا يُسمح لك ببث هذه القائمة',
  invalidToken: 'رمز الوصول غير صالح',
  missingList: 'معلمة القائمة مفقودة',
  missingScope: 'رمز الوصول لا يملك الأذونات المطلوبة',
  missingTag: 'معلمة الوسم مفقودة',
  missingToken: 'رمز الوصول مفقود',
  tooManyConnections: 'عدد الاتصالات المفتوحة كبير جدًا',
  tooManyStreams: 'عدد قنوات البث على هذا الاتصال كبير جدًا',
  unknownPath: 'القناة المطلوبة غير معروفة',
  unknownStream: 'نوع البث غير معروف',
};
