/** As much of a WebSocket server as the specs need: text and binary frames that are not fragmented, and closes. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

export interface ServerSocket {
  readonly send: (data: string | Uint8Array) => void;
  readonly close: (code: number, reason?: string) => void;
  /** Breaks the connection without a close. */
  readonly reset: () => void;
}

/** A frame of the server: unmasked, whole. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? Buffer.from([0x80 | opcode, length]) : Buffer.from([0x80 | opcode, 126, length >> 8, length & 255]);
  if (length > 65_535) throw new Error('The frames of these specs are short.');
  return Buffer.concat([head, payload]);
}

/** The client's next frame and what follows it; null until it is there whole. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; rest: Buffer } | null {
  if (bytes.length < 2) return null;
  const short = bytes[1]! & 127;
  const at = short === 126 ? 4 : 2;
  if (bytes.length < at + 4) return null;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  const end = at + 4 + length;
  if (bytes.length < end) return null;
  const payload = Buffer.from(bytes.subarray(at + 4, end).map((byte, i) => byte ^ bytes[at + (i % 4)]!));
  return { opcode: bytes[0]! & 15, payload, rest: bytes.subarray(end) };
}

/** Answers an upgrade; `hear` gets each message of the client, text as text. */
export function acceptSocket(request: IncomingMessage, stream: Duplex, hear: (data: string | Buffer, socket: ServerSocket) => void): ServerSocket {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
  stream.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const send = (opcode: number, payload: Buffer) => void (stream.writable && stream.write(frameOf(opcode, payload)));
  let closing = false;
  const socket: ServerSocket = {
    send: (data) => send(typeof data === 'string' ? TEXT : BINARY, Buffer.from(data as string)),
    close: (code, reason = '') => {
      closing = true;
      send(CLOSE, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]));
    },
    reset: () => stream.destroy(),
  };
  let held: Buffer = Buffer.alloc(0);
  stream.on('error', () => undefined);
  stream.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    for (let frame = readFrame(held); frame; frame = readFrame(held)) {
      held = frame.rest;
      if (frame.opcode === TEXT) hear(frame.payload.toString(), socket);
      else if (frame.opcode === BINARY) hear(frame.payload, socket);
      else if (frame.opcode === CLOSE) {
        if (!closing) send(CLOSE, frame.payload);
        stream.end();
      }
    }
  });
  return socket;
}
