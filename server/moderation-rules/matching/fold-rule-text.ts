import { foldText } from '../../text/index.ts';

/** Characters that are not displayed and would hide words from rules: zero-width spaces and joiners, soft hyphens. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns a text or keyword in the form in which they are compared: `foldText`, without invisible characters. */
export const foldRuleText = (text: string): string => foldText(text.replace(invisible, ''));
