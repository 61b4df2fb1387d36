export { frameProblem, readAny } from './any.ts';
export { createClock, timeOf, withoutExtras } from './events.ts';
export { toEventsJsonl, toRawBody } from './extract.ts';
export { FILE_KINDS, type FileKind, KIND_HEAD, tellKind } from './kind.ts';
export { createReader, endReader, type Problem, readText } from './read.ts';
export { writeHeader, writeRecord } from './write.ts';
