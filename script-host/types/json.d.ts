export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonObject | JsonArray;
export type JsonObject = { [key: string]: JsonValue };
export type JsonArray = JsonValue[];

/**
 * What becomes JSON on its way out, as "Results" in docs/typescript.md says. `JsonValue` would refuse interfaces,
 * optional fields, dates and maps; this refuses functions, bytes and promises.
 */
export type JsonLike =
  | JsonPrimitive
  | bigint
  | undefined
  | { readonly [key: string]: unknown }
  | (object & { bind?: never; BYTES_PER_ELEMENT?: never; then?: never });

/** What a tool takes, as JSON Schema. More of JSON Schema is understood than is written here. */
export interface JsonSchemaObject {
  type: 'object';
  properties?: Record<string, JsonSchemaProperty>;
  required?: string[];
  additionalProperties?: boolean | JsonSchemaProperty;
  [keyword: string]: unknown;
}

export interface JsonSchemaProperty {
  type?: JsonSchemaType | JsonSchemaType[];
  description?: string;
  enum?: (string | number | boolean | null)[];
  items?: JsonSchemaProperty;
  properties?: Record<string, JsonSchemaProperty>;
  required?: string[];
  default?: JsonValue;
  [keyword: string]: unknown;
}

export type JsonSchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';
