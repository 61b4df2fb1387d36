/** The words of the schema, which mean something wherever they stand. */
import { snakeOf } from '../checker/shape/dialect.ts';
import { EVENT_NODES, type FieldNode, type ObjectNode } from '../checker/shape/table.ts';

/** Words of the schema: a key that is one of them says nothing wherever it stands, and no stand-in may be one. */
function wordsOf(): ReadonlySet<string> {
  const words = new Set(['ag-ui', 'filename', 'url', 'data', 'title', 'binary', '_timestamp', '_offset_ms', '_index', 'mime_type']);
  const seen = new Set<ObjectNode>();
  const takeObject = (node: ObjectNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const field of node.fields.values()) takeField(field);
  };
  const takeField = (field: FieldNode): void => {
    words.add(field.key).add(snakeOf(field.key));
    if (field.of) takeField(field.of);
    if (field.object) takeObject(field.object);
    for (const member of field.union?.members.values() ?? []) takeObject(member);
  };
  for (const node of EVENT_NODES.values()) takeObject(node.object);
  return words;
}

export const KEY_WORDS: ReadonlySet<string> = wordsOf();

/** Values and lines that mean something: no stand-in may be one. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...KEY_WORDS,
  ...['true', 'false', 'null', 'data', 'event', 'id', 'retry', 'text', 'image', 'audio', 'video', 'document', 'file', 'binary', 'developer', 'system'],
  ...['assistant', 'user', 'tool', 'activity', 'reasoning', 'function', 'success', 'interrupt', 'cancelled', 'suspended', 'resolved', 'message', 'subagent'],
  ...['add', 'remove', 'replace', 'move', 'copy', 'test', 'RAW', 'CUSTOM', 'raw', 'custom', 'Raw', 'Custom'],
]);
