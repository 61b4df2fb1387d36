export { readAny } from './any.ts';
export { createClock, timeOf, withoutExtras } from './events.ts';
export { toEventsJsonl, toRawBody } from './extract.ts';
export { FILE_KINDS, type FileKind, KIND_HEAD, tellKind } from './kind.ts';
export { type FileFacts, frameProblem, type OpenFile, openFile } from './open-file.ts';
export type { Problem } from './problems.ts';
export { createReader, endReader, readText } from './read.ts';
export { type CaptureHeader, type Redacted, writeHeader, writeRecord } from './write.ts';
