export { readAny } from './any.ts';
export { createClock, timeOf, withoutExtras } from './events.ts';
export { createExporter, ENDINGS, type Exporter, FORMS, type Form, type Piece } from './exporter.ts';
export { FILE_KINDS, type FileKind, KIND_HEAD, tellKind } from './kind.ts';
export { type FileFacts, frameProblem, type OpenFile, openFile } from './open-file.ts';
export { planOf, runsOfThread, type Scope, type Seen } from './plan.ts';
export { createReader, endReader, readText } from './read.ts';
export { GROUPS, type Group } from './redact-groups.ts';
export { type Redacted, writeHeader, writeRecord } from './write.ts';
