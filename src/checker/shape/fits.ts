/** The hot path: does an event need no word at all? Answers without allocating; whatever it refuses is looked at again by `explain.ts`. */
import type { FieldNode, ObjectNode } from './table.ts';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listFits(of: FieldNode, list: readonly unknown[]): boolean {
  for (const entry of list) if (!valueFits(of, entry)) return false;
  return true;
}

function valueFits(field: FieldNode, value: unknown): boolean {
  switch (field.is) {
    case 'string':
      return typeof value === 'string';
    case 'const':
      return value === field.value;
    case 'json':
      return true;
    case 'json-not-null':
      return value !== null;
    case 'integer':
      return Number.isSafeInteger(value) && (value as number) >= field.min;
    case 'enum':
      return field.values.includes(value as string);
    case 'boolean':
      return typeof value === 'boolean';
    case 'metadata':
      return isObject(value) && !Object.hasOwn(value, 'ag-ui');
    case 'open-object':
      return isObject(value);
    case 'array':
      return Array.isArray(value) && listFits(field.of!, value);
    case 'text-or-array':
      return typeof value === 'string' || (Array.isArray(value) && listFits(field.of!, value));
    case 'object':
      return isObject(value) && objectFits(field.object!, value);
    case 'union': {
      if (!isObject(value)) return false;
      const member = field.union!.members.get(value[field.union!.tag] as string);
      return member !== undefined && objectFits(member, value);
    }
  }
}

/** Whether every property is known and well formed and every required one is there. */
export function objectFits(node: ObjectNode, value: Readonly<Record<string, unknown>>): boolean {
  let required = 0;
  for (const key in value) {
    const field = node.fields.get(key);
    if (field === undefined) return false;
    const inner = value[key];
    // A decoder may leave a property undefined: absent, which the full walk tells apart.
    if (inner === undefined || !valueFits(field, inner)) return false;
    // It needs a look at its neighbour (reasoning-encrypted-type-orphan), and is rare.
    if (key === 'encryptedValueType') return false;
    if (field.required) required += 1;
  }
  return required === node.required.length;
}
