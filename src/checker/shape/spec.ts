/** The words schema.generated.ts is written in. */

export type ShapeSpec =
  | { readonly is: 'string' }
  | { readonly is: 'boolean' }
  | { readonly is: 'integer'; readonly min: number }
  | { readonly is: 'const'; readonly value: string }
  | { readonly is: 'enum'; readonly values: readonly string[] }
  | { readonly is: 'json' }
  | { readonly is: 'json-not-null' }
  | { readonly is: 'open-object' }
  | { readonly is: 'metadata' }
  | { readonly is: 'array'; readonly of: ShapeSpec }
  | { readonly is: 'text-or-array'; readonly of: ShapeSpec }
  | { readonly is: 'object'; readonly name: string }
  | { readonly is: 'union'; readonly name: string };

export type FieldSpec = ShapeSpec & { readonly required?: true };

export interface UnionSpec {
  readonly tag: string;
  /** Tag value → name of the object. */
  readonly members: Readonly<Record<string, string>>;
}
