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
    /** Returns N-Quads in canonical order. `safe: false` drops properties that no context defines. */
    canonize(
      document: unknown,
      options: {
        algorithm: 'URDNA2015';
        format: 'application/n-quads';
        safe: boolean;
        documentLoader: (url: string) => Promise<RemoteDocument>;
      },
    ): Promise<string>;
  };
  export = jsonld;
}
