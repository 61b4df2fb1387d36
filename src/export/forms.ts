/** What a capture is exported as for people and tests. */
export { identifierOf, toFixture } from './fixture.ts';
export { type ReportInput, toMarkdown } from './markdown.ts';
