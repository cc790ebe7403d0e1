/** Statements that read, and those that PostgreSQL itself refuses in a read-only transaction. */
const firstWords = new Set(
  `select with values table show explain insert update delete merge copy truncate create drop comment grant revoke
  refresh vacuum analyze checkpoint`.split(/\s+/u),
);
const firstWord = /^(?:[\s(]|--[^\n]*\n|\/\*[^]*?\*\/)*([a-z]*)/iu;

/**
 * Throws for a statement that could make a read-only connection writable: one that begins or ends a transaction, changes
 * a setting, or runs a procedure or a block of code, which may do both.
 */
export function assertReadStatement(text: string): void {
  const word = firstWord.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!firstWords.has(word) || /set_config/iu.test(text)) {
    throw new Error(`a read-only connection does not run this statement: ${text.trimStart().slice(0, 80)}`);
  }
}
