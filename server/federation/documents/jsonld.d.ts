declare module 'jsonld' {
  interface RemoteDocument {
    readonly contextUrl: null;
    readonly documentUrl: string;
    readonly document: unknown;
  }
  const jsonld: {
    compact(
      document: unknown,
      context: unknown,
      options: { documentLoader: (url: string) => Promise<RemoteDocument> },
    ): Promise<Record<string, unknown>>;
  };
  export = jsonld;
}
