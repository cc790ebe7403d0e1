/** Names of parameters whose values let somebody in or prove something. */
const secretNamePattern = String.raw`[\w.[\]-]*(?:token|secret|code|password|passwd|signature|verifier|credential|api_?key)[\w[\]]*`;

/** A parameter in a query or a form, also one inside another parameter, where `=` and `&` are encoded. */
const secretParameterPattern = new RegExp(
  String.raw`(^|[?&;\s"'(]|%3F|%26)(${secretNamePattern})(=|%3D)((?:(?!%26)[^&;\s"'<>#)])+)`,
  'gi',
);

/** User and password of an address: scheme://user:password@host. */
const credentialsPattern = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]+@/gi;

const authorizationPattern = /\b(Bearer|Basic)\s+[\w.~+/=-]{16,}/gi;

/** Replaces what a text holds of access tokens, passwords, codes and other secrets in addresses and headers. */
export function redactSecrets(text: string): string {
  return text
    .replace(secretParameterPattern, '$1$2$3[hidden]')
    .replace(credentialsPattern, '$1[hidden]@')
    .replace(authorizationPattern, '$1 [hidden]');
}

/** The same for the values of a log line: texts, and lists and plain objects of them. */
export function redactSecretsDeep(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(redactSecretsDeep);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactSecretsDeep(item)]));
}
