export { frameProblem, type ReadAnyOptions, type ReadFile, readAny } from './any.ts';
export { createClock, type FileClock, timeOf, withoutExtras } from './events.ts';
export { toEventsJsonl, toRawBody } from './extract.ts';
export { FILE_KINDS, type FileKind, KIND_HEAD, tellKind } from './kind.ts';
export { createReader, endReader, type Problem, type ReaderState, readText } from './read.ts';
export { type CaptureHeader, FORMAT, writeHeader, writeRecord } from './write.ts';
