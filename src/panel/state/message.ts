/** A message as it stands in a request or a MESSAGES_SNAPSHOT, read with care: whatever is not as it should be is left out. */

export interface MessageCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export interface Message {
  readonly id: string;
  readonly role: string;
  readonly content: unknown;
  readonly calls: readonly MessageCall[];
  /** The call a tool message answers. */
  readonly answers: string | null;
  readonly activityType: string | null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function callsOf(value: unknown): MessageCall[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((call) => {
    const made = isObject(call['function']) ? call['function'] : {};
    return { id: text(call['id']) ?? '', name: text(made['name']) ?? '', args: text(made['arguments']) ?? '' };
  });
}

/** Messages of a list, in order; what is no object is left out, one without an id is named by what it says. */
export function messagesOf(list: unknown): Message[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((message) => ({
    id: text(message['id']) ?? JSON.stringify(message).slice(0, 2000),
    role: text(message['role']) ?? 'user',
    content: message['content'],
    calls: callsOf(message['toolCalls']),
    answers: text(message['toolCallId']),
    activityType: text(message['activityType']),
  }));
}

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** An image that is all there: `src` is a data URL. */
  | { readonly kind: 'image'; readonly src: string; readonly name: string }
  /** Anything else, in words: it is named, never fetched. */
  | { readonly kind: 'named'; readonly what: string; readonly where: string };

const IMAGE = /^image\/(png|jpeg|jpg|gif|webp|avif|bmp|svg\+xml)$/i;
/** Characters of a data URL that are still drawn. */
const LARGEST = 8 * 1024 * 1024;

function fromData(kind: string, mime: string, data: string): Part {
  const size = `${Math.max(1, Math.round((data.length * 3) / 4 / 1000))} kB`;
  if (!IMAGE.test(mime) || data.length > LARGEST || !/^[A-Za-z0-9+/=_-]*$/.test(data)) return { kind: 'named', what: kind, where: `${mime}, ${size}` };
  return { kind: 'image', src: `data:${mime};base64,${data}`, name: `${kind}, ${mime}, ${size}` };
}

function fromUrl(kind: string, url: string): Part {
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  if (inline) return fromData(kind, inline[1]!, inline[2]!);
  return { kind: 'named', what: kind, where: `at ${url.length > 300 ? `${url.slice(0, 300)}…` : url}, not fetched` };
}

function partOf(value: unknown): Part {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (!isObject(value)) return { kind: 'text', text: String(value) };
  const kind = text(value['type']) ?? 'part';
  if (typeof value['text'] === 'string') return { kind: 'text', text: value['text'] };
  const source = isObject(value['source']) ? value['source'] : value;
  const mime = text(source['mimeType']) ?? text(value['mimeType']) ?? '';
  const inner = text(source['value']);
  const data = text(source['data']) ?? (source['type'] === 'data' ? inner : null);
  const url = text(source['url']) ?? (source['type'] === 'url' ? inner : null);
  const name = kind === 'binary' ? (text(value['filename']) ?? (IMAGE.test(mime) ? 'image' : 'file')) : kind;
  if (data !== null) return fromData(name, mime, data);
  if (url !== null) return fromUrl(name, url);
  return { kind: 'named', what: name, where: [mime, text(value['id'])].filter(Boolean).join(', ') };
}

/** The parts of a message's content: text as it is, images where they are all there, the rest named. */
export function partsOf(content: unknown): Part[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return Array.isArray(content) ? content.map(partOf) : [{ kind: 'text', text: JSON.stringify(content) }];
}

/** Content in words alone. */
export function contentText(content: unknown): string {
  return partsOf(content)
    .map((part) => (part.kind === 'text' ? part.text : `[${part.kind === 'image' ? part.name : part.what}]`))
    .join(' ');
}
