/** Names of parameters whose values let somebody in or prove something. */
const secretName = String.raw`[\w.[\]-]*(?:token|secret|code|password|passwd|signature|verifier|credential|api_?key)[\w[\]]*`;

/** A parameter in a query or a form, also one inside another parameter, where `=` and `&` are encoded. */
const secretParameter = new RegExp(
  String.raw`(^|[?&;\s"'(]|%3F|%26)(${secretName})(=|%3D)((?:(?!%26)[^&;\s"'<>#)])+)`,
  'gi',
);

/** User and password of an address: scheme://user:password@host. */
const credentials = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]+@/gi;

const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{16,}/gi;

/** Replaces what a text holds of access tokens, passwords, codes and other secrets in addresses and headers. */
export function redactSecrets(text: string): string {
  return text
    .replace(secretParameter, '$1$2$3[hidden]')
    .replace(credentials, '$1[hidden]@')
    .replace(bearer, '$1 [hidden]');
}

/** The same for the values of a log line: texts, and lists and plain objects of them. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactValue(item)]));
}
