/** What pure code may use of the runtime: text codecs, URL and structuredClone exist in every browser context and in Node. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}
declare class URL {
  constructor(url: string, base?: string);
  readonly pathname: string;
  readonly search: string;
}
declare function structuredClone<T>(value: T): T;
