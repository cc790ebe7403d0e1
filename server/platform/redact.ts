/** Names of parameters with secret values. */
const secretNamePattern = String.raw`[\w.[\]-]*(?:token|secret|code|password|passwd|signature|verifier|credential|api_?key)[\w[\]]*`;

/** A parameter in a query or a form, also one inside another parameter, where `=` and `&` are encoded. */
const secretParameterPattern = new RegExp(
  String.raw`(^|[?&;\s"'(]|%3F|%26)(${secretNamePattern})(=|%3D)((?:(?!%26)[^&;\s"'<>#)])+)`,
  'gi',
);

/** User and password in an address: scheme://user:password@host. */
const credentialsPattern = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]+@/gi;

/** A secret in a path: the code of an invite, and the token with which a push service ends a subscription. */
const secretPathPattern = /(\/(?:invite|api\/web\/push_subscriptions)\/)[^/?#\s"'<>]+/g;

const authorizationPattern = /\b(Bearer|Basic)\s+[\w.~+/=-]{16,}/gi;

/** Replaces access tokens, passwords, codes and other secrets in a text. */
export function redactSecrets(text: string): string {
  return text
    .replace(secretParameterPattern, '$1$2$3[hidden]')
    .replace(secretPathPattern, '$1[hidden]')
    .replace(credentialsPattern, '$1[hidden]@')
    .replace(authorizationPattern, '$1 [hidden]');
}

/** Redacts the values of a log line: texts, lists and plain objects. */
export function redactSecretsDeep(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(redactSecretsDeep);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactSecretsDeep(item)]));
}
